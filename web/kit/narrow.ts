import { useMediaQuery } from '@mantine/hooks'

/** Phone width: rows are cards, drawers fill the window. */
export const useNarrow = () => useMediaQuery('(max-width: 767px)', false, { getInitialValueInEffect: false })
