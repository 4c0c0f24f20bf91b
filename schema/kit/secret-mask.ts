/** Shown instead of a secret that is set; sent back, it means "unchanged". */
export const SECRET_MASK = '********'
