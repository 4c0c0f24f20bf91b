import { Center, Loader } from '@mantine/core'
import { useSlow } from '../kit/slow.ts'

/** Nothing for 300 ms, then a loader, to avoid flicker. */
export function Loading() {
  return <Center h="100vh">{useSlow(true) ? <Loader size="sm" /> : null}</Center>
}
