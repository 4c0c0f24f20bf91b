import { describe, expect, it } from 'vitest'
import { close, HOME, keepAlive, restore, retitle, type Tab, visit } from './tabs.ts'

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
    const stored = JSON.stringify([HOME, a, { key: 1 }, tab('/gone', 'gone'), null])
    expect(keys(restore(stored, (screen) => screen !== 'gone'))).toEqual(['/dashboard', '/a'])
    expect(keys(restore('not json', () => true))).toEqual(['/dashboard'])
  })

  it('keeps the ten pages seen last alive, and none without a tab', () => {
    const tabs = [HOME, ...Array.from({ length: 12 }, (_, i) => tab(`/${i}`))]
    const alive = tabs.reduce<string[]>((before, { key }) => keepAlive(before, key, tabs), [])
    expect(alive).toHaveLength(10)
    expect(alive[0]).toBe('/11')
    expect(keepAlive(['/a', '/b'], '/c', [HOME, b, c])).toEqual(['/c', '/b'])
  })
})
