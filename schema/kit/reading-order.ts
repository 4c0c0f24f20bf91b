/**
 * Signs that turn the reading order of the words around them (U+202A–202E, U+2066–2069): a device that puts one into
 * its name rewrites the sentence it stands in. Writing from right to left needs none of them.
 */
const turning = /[\u202a-\u202e\u2066-\u2069]/g

/** `text` without them, for where people read it among other words. */
export const inReadingOrder = (text: string): string => text.replace(turning, '')
