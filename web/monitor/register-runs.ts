/** What a search for registers has found, as ranges that can be read. Pure. */

type Found = { address: number; data: string; count?: number | undefined }

/** As many as one request can read. */
const RUN_MAX = 120
/** Blocks are of ten; smaller, where one of them does not exist. */
const BLOCK = 10
const HEX_BYTE = 2
const HEX_REGISTER = 4

/** Of a gateway that does not count bits, only what surely exists: one byte may hold one to eight. */
function countOf({ data, count }: Found, isBits: boolean): number {
  if (!isBits) return data.length / HEX_REGISTER
  return count ?? (data.length > HEX_BYTE ? BLOCK : 1)
}

/** Neighbouring blocks as one. @param found ascending */
export function runsOf(found: readonly Found[], isBits: boolean): { address: number; count: number }[] {
  const runs: { address: number; count: number }[] = []
  for (const one of found) {
    const { address } = one
    const count = countOf(one, isBits)
    const last = runs.at(-1)
    if (last && last.address + last.count === address && last.count + count <= RUN_MAX) last.count += count
    else runs.push({ address, count })
  }
  return runs
}
