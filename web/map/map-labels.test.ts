import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { readPlaceFile } from './map-base.ts'
import { boxOf, isWhole, openLabels, type Place, TILE } from './map-labels.ts'

const languages = ['zh-CN', 'zh-TW', 'en-US'] as const
const placesOf = (language: string) =>
  readPlaceFile(JSON.parse(readFileSync(new URL(`./data/places.${language}.json`, import.meta.url), 'utf8')))

describe.each(languages)('the names of the map in %s', (language) => {
  const places = placesOf(language)
  const labels = openLabels(places)

  it('are some thousand, each at a place on the globe', () => {
    expect(places.filter(({ country }) => !country).length).toBeGreaterThan(4000)
    expect(places.filter(({ country }) => country).length).toBeGreaterThan(150)
    for (const { name, longitude, latitude, from } of places) {
      expect(name).not.toBe('')
      expect(Math.abs(longitude)).toBeLessThanOrEqual(180)
      expect(Math.abs(latitude)).toBeLessThanOrEqual(90)
      expect(from).toBeGreaterThanOrEqual(3)
    }
  })

  it.each([3, 4, 5, 6, 7, 8, 10])('do not overlap at zoom %i', (zoom) => {
    const boxes = labels
      .placed(zoom)
      .map(boxOf)
      .sort((a, b) => a[0] - b[0])
    const overlapping = boxes.filter((box, i) => {
      for (let j = i + 1; j < boxes.length; j++) {
        const other = boxes[j]
        if (!other || other[0] >= box[2]) return false
        if (box[1] < other[3] && other[1] < box[3]) return true
      }
      return false
    })
    expect(overlapping).toEqual([])
  })

  it('stay when the map is zoomed in', () => {
    for (let zoom = 3; zoom < 12; zoom++) {
      const next = new Set(labels.placed(zoom + 1).map(({ place }) => place))
      const lost = labels.placed(zoom).filter(({ place }) => !place.country && !next.has(place))
      expect(lost).toEqual([])
    }
  })
})

it('a name that crosses the edge of a tile is drawn by both tiles at the same place', () => {
  const edge: Place = { name: 'Edge', longitude: -0.1, latitude: 10, from: 3, country: false }
  const labels = openLabels([edge])
  const [left] = labels.tile(4, 7, 7)
  const [right] = labels.tile(4, 8, 7)
  expect(left?.x).toBeCloseTo((right?.x ?? 0) + TILE)
})

describe('a name whose city is covered by a marker', () => {
  const city: Place = { name: 'City', longitude: 0, latitude: 0, from: 3, country: false }
  const middle = TILE * 2 ** 4 * 0.5
  const mark = { x: middle, y: middle, radius: 20 }
  /** Where the name begins, in pixels from the city; undefined: it is not drawn. */
  function textOf(places: readonly Place[], marks: { x: number; y: number; radius: number }[]) {
    const labels = openLabels(places)
    const [drawn] = [7, 8].flatMap((x) =>
      labels
        .tile(4, x, 8, marks)
        .filter(({ name }) => name === 'City')
        .map(({ text }) => text + (x - 8) * TILE),
    )
    return drawn
  }

  it('begins right of it', () => {
    expect(textOf([city], [])).toBeLessThan(20)
    expect(textOf([city], [mark])).toBeGreaterThan(20)
  })

  it('ends left of it if there is another name, and is not drawn if there is no room', () => {
    const right: Place = { ...city, name: 'Right', longitude: 4.8 }
    const left: Place = { ...city, name: 'Left-------', longitude: -11 }
    expect(textOf([city, right], [mark])).toBeLessThan(-20)
    expect(textOf([city, right, left], [mark])).toBeUndefined()
  })
})

it('is written in Chinese in a Chinese console', () => {
  for (const language of ['zh-CN', 'zh-TW'])
    for (const { name } of placesOf(language)) expect(name).toMatch(/^[\p{Script=Han}·（）]+$/u)
  const names = (language: string) => placesOf(language).map(({ name }) => name)
  expect(names('zh-CN')).toEqual(expect.arrayContaining(['上海', '乌鲁木齐', '悉尼', '德国']))
  expect(names('zh-TW')).toEqual(expect.arrayContaining(['臺北', '烏魯木齊', '雪梨', '德國']))
  expect(names('en-US')).toEqual(expect.arrayContaining(['Shanghai', 'Ürümqi', 'Sydney', 'Germany']))
})

it('names no territory whose status is disputed as a country', () => {
  const countries = placesOf('en-US').filter(({ country }) => country)
  for (const name of ['Taiwan', 'Kosovo', 'Western Sahara', 'Falkland Islands', 'Hong Kong SAR China'])
    expect(countries.map((one) => one.name)).not.toContain(name)
})

it('a name is whole if the edge of the window does not cross it', () => {
  const window = [0, 0, 600, 400] as const
  const country = (x: number, y = 100) =>
    isWhole({ name: 'Saudi Arabia', country: true, x, y, text: x }, window)
  expect([country(300), country(30), country(580), country(300, 4)]).toEqual([true, false, false, false])
  // Outside it is on a tile that is loaded ahead.
  expect(country(-200)).toBe(true)
  const city = (x: number) => isWhole({ name: 'Chengdu', country: false, x, y: 100, text: x + 7 }, window)
  expect([city(10), city(2), city(590)]).toEqual([true, false, false])
})
