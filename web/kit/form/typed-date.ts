const TYPED = /^\s*(\d{4})[-/.](\d{2})[-/.](\d{2})(?:[ T]+(\d{2}):(\d{2}))?\s*$/

/** What was typed as `YYYY-MM-DD`, or `YYYY-MM-DD HH:mm`; null while it is not complete, or no day or time of day. */
export function typedDate(text: string, withTime: boolean): string | null {
  const [, year = '', month = '', day = '', hours, minutes] = TYPED.exec(text) ?? []
  if ((hours !== undefined) !== withTime || year === '') return null
  const [at, clock] = [`${year}-${month}-${day}`, `${hours ?? '00'}:${minutes ?? '00'}`]
  const isDay = new Date(`${at}T00:00:00Z`)
  // The 31st of a short month would be a day of the next one.
  if (Number.isNaN(isDay.getTime()) || !isDay.toISOString().startsWith(at)) return null
  if (Number(hours ?? 0) > 23 || Number(minutes ?? 0) > 59) return null
  return withTime ? `${at} ${clock}:00` : at
}
