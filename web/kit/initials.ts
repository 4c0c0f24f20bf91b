/**
 * Chinese names are abbreviated to the family name, as two characters do not fit a small circle; others to initials.
 */
export const pictureName = (name: string): string =>
  /^\p{Script=Han}/u.test(name) ? String.fromCodePoint(name.codePointAt(0) ?? 0) : name
