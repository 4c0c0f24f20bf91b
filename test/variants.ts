/** Values that a declaration may refuse, for tests of everything that checks messages. */
const odd: unknown[] = [
  null,
  undefined,
  '',
  'x',
  'a\u0000b',
  '\ud800',
  'x'.repeat(300),
  0,
  -1,
  1.5,
  1e300,
  -1e-300,
  2 ** 53,
  true,
  [],
  [1],
  {},
  { x: 1 },
]

/** Every way to replace, drop or add one value somewhere in the sample. */
export function* variants(value: unknown): Generator<unknown> {
  for (const other of odd) yield other
  if (Array.isArray(value)) {
    for (const [i, item] of value.entries()) for (const other of variants(item)) yield value.with(i, other)
    yield Array.from({ length: 33 }, () => value[0])
  } else if (typeof value === 'object' && value !== null) {
    yield { ...value, unknown: 1 }
    for (const [key, item] of Object.entries(value))
      for (const other of variants(item)) yield { ...value, [key]: other }
  }
}
