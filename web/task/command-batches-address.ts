import { parseAsString, useQueryState } from 'nuqs'

/** In the address: which batch is shown, `list` for all of them, nothing for none. */
export const useOpenBatch = () => useQueryState('batch', parseAsString.withDefault(''))
export const batchPath = (batchId: string) => `/device/devicelist?batch=${batchId}`
