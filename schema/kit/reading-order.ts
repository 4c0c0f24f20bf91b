/**
 * Characters that change the direction of the surrounding text (U+202A–202E, U+2066–2069): a device name that
 * contains one would reorder the sentence around it. Right-to-left text needs none of them.
 */
const turning = /[\u202a-\u202e\u2066-\u2069]/g

/** `text` without these characters, for use within other text. */
export const inReadingOrder = (text: string): string => text.replace(turning, '')
