import { gatherDeclared } from '#infra/gather'
import { isSouthAdapter } from '#schema/monitor/south/adapter'

/** The declared adapters by name. */
export const adapters = new Map(
  (await gatherDeclared(isSouthAdapter)).map((adapter) => [adapter.name, adapter]),
)
