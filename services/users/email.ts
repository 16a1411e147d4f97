/** The longest address that mail can carry. */
export const MAX_EMAIL_LENGTH = 254;
/** Lower case can be longer than what it was made from: the column holds so many characters. */
const MAX_KEY_LENGTH = 320;

const localPart = "[\\p{L}\\p{M}\\p{N}.!#$%&'*+/=?^_`{|}~\\-]{1,64}";
const label = "[\\p{L}\\p{N}](?:[\\p{L}\\p{M}\\p{N}\\-]{0,61}[\\p{L}\\p{M}\\p{N}])?";
const address = new RegExp(`^${localPart}@${label}(?:\\.${label})*$`, "u");

/**
 * Whether the text looks like an email address: the rule of HTML's email input, with letters of every script.
 * A host without a dot is one (admin@localhost); quoted forms, comments and addresses in brackets are not.
 */
export function isEmail(text: string): boolean {
  return text.length <= MAX_EMAIL_LENGTH && address.test(text) && emailKey(text).length <= MAX_KEY_LENGTH;
}

/** The form in which addresses are compared: two that differ in case alone are the same. */
export function emailKey(email: string): string {
  return email.normalize("NFC").toLowerCase();
}
