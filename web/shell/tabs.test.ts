import { describe, expect, it } from 'vitest'
import { close, HOME, keepAlive, restore, retitle, store, type Tab, visit } from './tabs.ts'

const tab = (key: string, screen = key.slice(1)): Tab => ({ key, screen, search: '', title: null })
const [a, b, c] = [tab('/a'), tab('/b'), tab('/c')]
const keys = (tabs: readonly Tab[]) => tabs.map((one) => one.key)

describe('the strip of visited pages', () => {
  it('adds a page at the end and keeps its place when it is visited again with another query', () => {
    const tabs = visit(visit([HOME, a], b), { ...a, search: '?offset=2' })
    expect(keys(tabs)).toEqual(['/dashboard', '/a', '/b'])
    expect(tabs[1]?.search).toBe('?offset=2')
  })

  it('keeps one device detail tag only, without the name of the device before', () => {
    const first = retitle(visit([HOME, a], tab('/device/1', 'device-detail')), '/device/1', 'Kiosk')
    const second = visit(visit(first, b), tab('/device/2', 'device-detail'))
    expect(keys(second)).toEqual(['/dashboard', '/a', '/device/2', '/b'])
    expect(second[2]?.title).toBeNull()
  })

  it('moves to the previous tab when the active one is closed, and stays when another is', () => {
    expect(close([HOME, a, b, c], '/b', 'this', '/b').goTo?.key).toBe('/a')
    expect(close([HOME, a], '/a', 'this', '/a').goTo).toBe(HOME)
    expect(close([HOME, a, b], '/a', 'this', '/b')).toEqual({ tabs: [HOME, b], goTo: null })
  })

  it('never closes the home tab', () => {
    expect(keys(close([HOME, a, b], HOME.key, 'this', HOME.key).tabs)).toEqual(['/dashboard', '/a', '/b'])
    expect(keys(close([HOME, a, b], '/b', 'others', '/a').tabs)).toEqual(['/dashboard', '/b'])
    expect(keys(close([HOME, a, b], '/b', 'left', '/b').tabs)).toEqual(['/dashboard', '/b'])
  })

  it('goes to the selected tab if the active one is closed with the others', () => {
    expect(close([HOME, a, b, c], '/a', 'right', '/c')).toEqual({ tabs: [HOME, a], goTo: a })
  })

  it('restores the stored tabs, without broken entries and unknown screens', () => {
    const stored = JSON.stringify({
      language: 'en-US',
      tabs: [HOME, a, { key: 1 }, tab('/gone', 'gone'), null],
    })
    expect(keys(restore(stored, (screen) => screen !== 'gone', 'en-US'))).toEqual(['/dashboard', '/a'])
    for (const broken of ['not json', '[]', 'null', '{"tabs":1}'])
      expect(keys(restore(broken, () => true, 'en-US')), broken).toEqual(['/dashboard'])
  })

  it('restores the title of a page, but not after another language was chosen', () => {
    const stored = store([HOME, { ...a, title: 'Kiosk · Remote shell' }], 'en-US')
    const titles = (language: string) => restore(stored, () => true, language).map(({ title }) => title)
    expect(titles('en-US')).toEqual([null, 'Kiosk · Remote shell'])
    expect(titles('zh-CN')).toEqual([null, null])
  })

  it('keeps the ten pages seen last alive, and none without a tab', () => {
    const tabs = [HOME, ...Array.from({ length: 12 }, (_, i) => tab(`/${i}`))]
    const saved = () => false
    const alive = tabs.reduce<string[]>((before, { key }) => keepAlive(before, key, tabs, saved), [])
    expect(alive).toHaveLength(10)
    expect(alive[0]).toBe('/11')
    expect(keepAlive(['/a', '/b'], '/c', [HOME, b, c], saved)).toEqual(['/c', '/b'])
  })

  it('keeps a page with unsaved changes alive, however long ago it was seen', () => {
    const tabs = [HOME, ...Array.from({ length: 12 }, (_, i) => tab(`/${i}`))]
    const edited = (key: string) => key === '/0'
    const alive = tabs.reduce<string[]>((before, { key }) => keepAlive(before, key, tabs, edited), [])
    expect(alive).toHaveLength(11)
    expect(alive.at(-1)).toBe('/0')
    expect(keepAlive(['/a', '/0'], '/b', [HOME, a, b], edited)).toEqual(['/b', '/a'])
  })
})
