import { type AlarmKind, factsOf, type Severity } from '#schema/alarm/alarm-kind'

type Alarmed = { activeAlarms: readonly { kind: AlarmKind; severity: Severity; count: number }[] }

/** The alarms about what a tab of the device page shows. */
export function alarmsAt(
  { activeAlarms }: Alarmed,
  tab: string,
): { severity: Severity | null; count: number } {
  const own = activeAlarms.filter(({ kind }) => (factsOf(kind).tab ?? 'overview') === tab)
  return { severity: own[0]?.severity ?? null, count: own.reduce((sum, { count }) => sum + count, 0) }
}
