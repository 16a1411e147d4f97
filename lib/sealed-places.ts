/** What a webhook registration's secret is sealed for. */
export const webhookSecretPlace = (id: string) => `webhooks/${id}`;

/** What an integration's credentials are sealed for. */
export const credentialsPlace = (id: string) => `integrations/${id}`;
