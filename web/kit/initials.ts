/** A Chinese name is known by its family name; two characters do not fit a small circle. Others give their initials. */
export const pictureName = (name: string): string =>
  /^\p{Script=Han}/u.test(name) ? String.fromCodePoint(name.codePointAt(0) ?? 0) : name
