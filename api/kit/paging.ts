/** [§2] `offset` is the page number, from 1: how many rows to skip. */
export const page = (body: { offset: number; limit: number }) => (body.offset - 1) * body.limit

/** A LIKE pattern that finds `text` anywhere and escapes its wildcards. */
export const contains = (text: string) => `%${text.replace(/[\\%_]/g, '\\$&')}%`
