/** Splits a terminal by bus: the requests to its slave, and those to the gateway itself. */
import type { PlanTerminal } from '#schema/monitor/wire'

/** Usually one. Each has its requests, and the variables that they answer. */
export function partsOf(terminal: PlanTerminal): PlanTerminal[] {
  const busOf = (read: number) => terminal.reads[read]?.bus ?? terminal.bus
  const buses = new Set([terminal.bus, ...terminal.reads.map((_, read) => busOf(read))])
  if (buses.size === 1) return [terminal]
  return [...buses].map((bus) => {
    const own = [...terminal.reads.keys()].filter((read) => busOf(read) === bus)
    return {
      ...terminal,
      bus,
      reads: own.flatMap((read) => terminal.reads[read] ?? []),
      vars: terminal.vars
        .filter(({ read }) => own.includes(read))
        .map((variable) => ({ ...variable, read: own.indexOf(variable.read) })),
    }
  })
}
