/** Chooses which countries and cities our own map names, from which zoom on, and how in each language. */

import knownFile from './data/known-names.json' with { type: 'json' }

type Language = 'zh-CN' | 'zh-TW' | 'en-US'
export type Label = {
  kind: 'country' | 'city'
  longitude: number
  latitude: number
  /** The first zoom at which it may appear. */
  from: number
  /** null: no name is known in this language, so it is not shown. */
  names: Record<Language, string | null>
}
type Convert = (text: string) => string
type Shape =
  | { type: 'Polygon'; coordinates: readonly Ring[] }
  | { type: 'MultiPolygon'; coordinates: readonly (readonly Ring[])[] }
  | { type: string }
type Ring = readonly (readonly number[])[]

export type Sources = {
  /** With their ISO 3166-1 numbers as ids. */
  countries: readonly { id?: string | number | undefined; geometry: Shape }[]
  /** cities500.txt of GeoNames. */
  cities: string
  /** Names by GeoNames id, as compiled gettext catalogues. */
  chinese: Buffer
  taiwanese: Buffer
  simplified: Convert
  fromJapanese: Convert
  traditional: Convert
}

/** Whether these are countries is disputed, or who they belong to: their cities are named, they are not. */
const disputed = new Set(['TW', 'HK', 'MO', 'EH', 'FK', 'GS', 'IO', 'AQ', 'TF'])
const PEOPLE_LEAST = 100_000
/** A place with a Chinese name is worth showing earlier: it is one that readers know. */
const PEOPLE_LEAST_KNOWN = 50_000

/**
 * Well-known cities that the sources name badly or not at all, by GeoNames name and country: zh-CN, zh-TW; and what
 * Chinese names of places begin or end with and need not.
 */
const known = knownFile as unknown as {
  cities: Readonly<Record<string, readonly [string, string]>>
  suffixes: readonly string[]
  country: string
}

/** The entries of a compiled gettext catalogue. */
function catalogue(file: Buffer): Map<string, string> {
  const [count, keys, texts] = [file.readUInt32LE(8), file.readUInt32LE(12), file.readUInt32LE(16)]
  const textAt = (table: number, i: number) => {
    const [length, start] = [file.readUInt32LE(table + 8 * i), file.readUInt32LE(table + 8 * i + 4)]
    return file.toString('utf8', start, start + length)
  }
  return new Map(Array.from({ length: count }, (_, i) => [textAt(keys, i), textAt(texts, i)] as const))
}

const chineseOnly = /^[\p{Script=Han}·]{2,9}$/u
const suffix = new RegExp(`^(.{2,}?)(${known.suffixes.join('|')})$`, 'u')
const country = new RegExp(`^${known.country}(?=..)`, 'u')
const dots = (name: string) => name.replace(/[・‧．\-–]/gu, '·')
const bare = (name: string) => suffix.exec(name)?.[1] ?? name

/** Of untagged names in Chinese characters, the one that most spellings agree on. */
function voted(names: readonly string[]): string | null {
  const votes = new Map<string, number>()
  for (const name of names) votes.set(name, (votes.get(name) ?? 0) + 1)
  return [...votes].sort(([a, m], [b, n]) => n - m || a.length - b.length)[0]?.[0] ?? null
}

const firstZoom = (people: number, steps: readonly number[]) =>
  3 + steps.filter((least) => people < least).length
/** Inhabitants from which on a city appears at zoom 3, 4, …; smaller ones follow one zoom later. */
const citySteps = [5_000_000, 2_000_000, 700_000, 250_000, 120_000]
/** Square degrees, shrunk by the latitude. */
const countrySteps = [120, 25, 4]

function readCities(of: Sources): Label[] {
  const [chinese, taiwanese] = [catalogue(of.chinese), catalogue(of.taiwanese)]
  const spoken = (name: string) => bare(dots(of.simplified(of.fromJapanese(name)))).replace(country, '')
  const cities = of.cities
    .trim()
    .split('\n')
    .map((line) => line.split('\t'))
    .map(([id = '', name = '', , others = '', latitude, longitude, , code = '', land, ...rest]) => {
      const people = Number(rest[5])
      const given = known.cities[`${name} ${land}`]
      const tagged = spoken(chinese.get(id) ?? '')
      const heard = voted(
        others
          .split(',')
          .map(spoken)
          .filter((text) => chineseOnly.test(text)),
      )
      // Tagged names of places in China are often those of the town that a city has grown from.
      const good =
        land !== 'CN' && chineseOnly.test(tagged)
          ? tagged
          : (heard ?? (chineseOnly.test(tagged) ? tagged : null))
      const simplified = given?.[0] ?? good
      const ofTaiwan = bare(taiwanese.get(id) ?? '')
      return {
        kind: 'city' as const,
        code,
        people,
        longitude: Number(longitude),
        latitude: Number(latitude),
        from: firstZoom(people, citySteps) - (code === 'PPLC' && people > 500_000 ? 1 : 0),
        names: {
          'zh-CN': simplified,
          'zh-TW':
            given?.[1] ?? (chineseOnly.test(ofTaiwan) ? ofTaiwan : simplified && of.traditional(simplified)),
          'en-US': name,
        },
      }
    })
    .filter(({ code }) => /^PPL([CA23]*)$/.test(code))
    .filter(
      ({ people, names, code }) =>
        code === 'PPLC' || people >= (names['zh-CN'] === null ? PEOPLE_LEAST : PEOPLE_LEAST_KNOWN),
    )
  return cities
    .sort((a, b) => a.from - b.from || b.people - a.people)
    .map(({ code: _, people: __, ...label }) => ({ ...label, from: Math.max(3, label.from) }))
}

/** Without the jump at the date line, which goes through Russia. */
function unwrapped(ring: Ring): Ring {
  let [before, turns] = [ring[0]?.[0] ?? 0, 0]
  return ring.map(([x = 0, y = 0]) => {
    if (Math.abs(x - before) > 180) turns += x < before ? 1 : -1
    before = x
    return [x + 360 * turns, y]
  })
}

/** Area in square degrees of the equator, and centroid. */
function measure(ring: Ring): { area: number; longitude: number; latitude: number } {
  // From the first point: with the whole globe as measure, rounding would move the centre of a small island.
  const [[x0 = 0, y0 = 0] = []] = ring
  let [sum, x, y] = [0, 0, 0]
  for (let i = 0; i + 1 < ring.length; i++) {
    const [[ax = 0, ay = 0] = [], [bx = 0, by = 0] = []] = [ring[i], ring[i + 1]]
    const cross = (ax - x0) * (by - y0) - (bx - x0) * (ay - y0)
    sum += cross
    x += (ax + bx - 2 * x0) * cross
    y += (ay + by - 2 * y0) * cross
  }
  const latitude = y0 + y / (3 * sum)
  const area = Math.abs(sum / 2) * Math.cos((latitude * Math.PI) / 180)
  return { area, longitude: x0 + x / (3 * sum), latitude }
}

function readCountries({ countries }: Sources): Label[] {
  const speak = (language: Language) => new Intl.DisplayNames(language, { type: 'region' })
  const speakers = { 'zh-CN': speak('zh-CN'), 'zh-TW': speak('zh-TW'), 'en-US': speak('en-US') }
  return countries
    .flatMap(({ id, geometry }) => {
      // Numbers of ISO 3166-1 are territory aliases: und-156 is und-CN.
      const code = id === undefined ? '' : (new Intl.Locale(`und-${id}`).region ?? '')
      if (!/^[A-Z]{2}$/.test(code) || disputed.has(code)) return []
      const polygons =
        geometry.type === 'MultiPolygon'
          ? (geometry as { coordinates: readonly (readonly Ring[])[] }).coordinates
          : [(geometry as { coordinates: readonly Ring[] }).coordinates]
      const [largest] = polygons
        .map(([outer = []]) => measure(unwrapped(outer)))
        .sort((a, b) => b.area - a.area)
      if (!largest || largest.area < 0.1) return []
      const { area, longitude, latitude } = largest
      const names = {
        'zh-CN': speakers['zh-CN'].of(code) ?? null,
        'zh-TW': speakers['zh-TW'].of(code) ?? null,
        'en-US': speakers['en-US'].of(code) ?? null,
      }
      return [
        { kind: 'country' as const, area, longitude, latitude, from: firstZoom(area, countrySteps), names },
      ]
    })
    .sort((a, b) => b.area - a.area)
    .map(({ area: _, ...label }) => label)
}

/** Countries first, then cities; the more important, the earlier. */
export const readPlaces = (of: Sources): Label[] => [...readCountries(of), ...readCities(of)]
