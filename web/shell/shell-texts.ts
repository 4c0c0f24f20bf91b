import type { Word } from '#schema/kit/words.gen'

/** What every page after the login needs, and the login does not; index.html sends for them beside the first script. */
export const shellTexts: readonly Word[] = ['shell', 'list', 'form']
