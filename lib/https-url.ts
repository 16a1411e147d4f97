/** `https://`, then an authority that is not empty and has no user, then the rest. */
const httpsUrl = /^https:\/\/[^/?#@]+(?:[/?#]|$)/;

/** What URL parsers drop, or read in ways of their own: spaces, control characters, backslashes. */
const ambiguous = /[\s\p{Cc}\\]/u;

/**
 * Whether the text is a valid `https://` URL without user or password, one that every parser reads alike:
 * what is checked here must be what is called later.
 */
export function isHttpsUrl(text: string): boolean {
  return httpsUrl.test(text) && !ambiguous.test(text) && text.isWellFormed() && URL.canParse(text);
}
