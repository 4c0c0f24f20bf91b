/** Stands for a secret that is set and not shown; sent back it means "as it is". */
export const SECRET_MASK = '********'
