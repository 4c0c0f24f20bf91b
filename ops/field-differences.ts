/** Differences of page values for a terminal: of a list of rows only the fields that differ, not each row as a whole. */
export type Difference = { readonly place: string; readonly own: unknown; readonly other: unknown }

type Values = Readonly<Record<string, unknown>>
const isValues = (one: unknown): one is Values =>
  typeof one === 'object' && one !== null && !Array.isArray(one)
const areRows = (one: unknown): one is readonly Values[] => Array.isArray(one) && one.every(isValues)
const same = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other)

/** A section without a name is known by its place only. */
const nameOf = (row: Values, place: number): string => {
  const id = String(row['id'] ?? '')
  return id === '' || id.startsWith('@') ? String(place) : id
}
const byName = (rows: readonly Values[]) => new Map(rows.map((row, place) => [nameOf(row, place), row]))

export function fieldDifferences(place: string, own: unknown, other: unknown): Difference[] {
  if (same(own, other)) return []
  if (isValues(own) && isValues(other))
    // What a file with values leaves out stays as it is.
    return Object.keys(other)
      .filter((name) => name !== 'id')
      .flatMap((name) => fieldDifferences(`${place}.${name}`, own[name], other[name]))
  if (!areRows(own) || !areRows(other)) return [{ place, own, other }]
  const [mine, theirs] = [byName(own), byName(other)]
  const names = [...new Set([...mine.keys(), ...theirs.keys()])]
  const found = names.flatMap((name) =>
    fieldDifferences(`${place}[${name}]`, mine.get(name) ?? null, theirs.get(name) ?? null),
  )
  // Only their order differs.
  return found.length > 0 ? found : [{ place, own: [...mine.keys()], other: [...theirs.keys()] }]
}
