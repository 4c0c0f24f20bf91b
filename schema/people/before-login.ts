/**
 * What the console knows before a login. A module of its own: the first script of a browser contains whole modules, and
 * those of profiles and second factors are none of a login's business.
 */

/** The code of the refusal that requires the second factor (account-refusals.ts). */
export const TOTP_NEEDED = 180

/** Targets of links in mails; the token is in the fragment (`#`), which no server and no log sees. */
export const CONFIRM_EMAIL_PATH = '/confirm-email'
export const CONFIRM_RECIPIENT_PATH = '/confirm-recipient'
export const INVITATION_PATH = '/invitation'
