/**
 * What the console needs before a login. A separate module, because bundles contain whole modules, and the login page
 * does not need those of profiles and second factors.
 */

/** The code of the refusal that requires the second factor (account-refusals.ts). */
export const TOTP_NEEDED = 180

/** Targets of links in mails; the token is in the fragment (`#`), which no server and no log sees. */
export const CONFIRM_EMAIL_PATH = '/confirm-email'
export const CONFIRM_RECIPIENT_PATH = '/confirm-recipient'
export const INVITATION_PATH = '/invitation'
/** Their parameter with the language of the mail, for a browser in which no language was chosen yet. */
export const LINK_LANGUAGE = 'language'
