import classes from '../kit.module.css'

/** For a MultiSelect or TagsInput: as high as the inputs beside it, and no empty line below what is chosen. */
export const pills = { input: classes['pills'] ?? '', inputField: classes['pillsTyped'] ?? '' }
