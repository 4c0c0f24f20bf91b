const FIRST_YEAR = 2019

/** [§9 Copyright years] */
export const copyrightYears = (now: Date) => `${FIRST_YEAR}-${now.getFullYear()}`
