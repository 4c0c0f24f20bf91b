import { useMediaQuery } from '@mantine/hooks'

/** A telephone's width: rows are cards, drawers take the window. */
export const useNarrow = () => useMediaQuery('(max-width: 767px)', false, { getInitialValueInEffect: false })
