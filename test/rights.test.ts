/**
 * A false declaration of a permission or a screen is detected: each kind is tried here in addition to the real ones.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { gatherDeclared } from '#infra/gather'
import { pages, permissions, screens } from '#infra/rights'
import { taskKinds } from '#infra/task-kinds'
import { readNames } from '#infra/texts'
import { call, isCall } from '#schema/kit/call'
import { isCommand } from '#schema/kit/command'
import { ACCOUNT, permission, templateRoles } from '#schema/kit/permission'
import { languages } from '#schema/kit/refusal'
import { grantsOf, permissionTree } from '#schema/kit/rights'
import { rightsFaults } from '#schema/kit/rights-faults'
import { menuParents, type Screen, screen } from '#schema/kit/screen'
import { roleListPermission, roleScreen } from '#schema/people/role'
import { loginScreen } from '#schema/people/session'

const web = join(import.meta.dirname, '..', 'web')
const calls = await gatherDeclared(isCall)
const commands = await gatherDeclared(isCommand)

type Added = Partial<{ permissions: typeof permissions; screens: Screen[]; calls: typeof calls }>
const faultsWith = (added: Added) =>
  rightsFaults(
    {
      permissions: [...permissions, ...(added.permissions ?? [])],
      screens: [...screens, ...(added.screens ?? [])],
    },
    { calls: [...calls, ...(added.calls ?? [])], commands, kinds: [...taskKinds.values()] },
  )

const right = { id: 9_900_001, name: 'weigh', role: 'viewer', under: 'role-list' } as const
const asking = (asked: typeof roleListPermission) =>
  call({ path: '/api/weigh/weigh', permission: asked, summary: 'Weighs.' })
const page = {
  name: 'scale',
  path: '/scale',
  menuId: 99_000,
  role: 'viewer',
  parent: 'device',
  place: 9_999,
  area: 'management',
} as const

describe('permissions', () => {
  it('are all required, once each, under an existing page', () => {
    expect(faultsWith({})).toEqual([])
    const weigh = permission(right)
    expect(faultsWith({ permissions: [weigh], calls: [asking(weigh)] })).toEqual([])
  })

  it.each([
    [
      'nothing asks for it',
      [right],
      'permission weigh is asked for by no call, command, task kind or screen',
    ],
    [
      'something asks for it that says it waits',
      [{ ...right, awaits: 'scales' }],
      'permission weigh is asked for, though it says that it is not',
    ],
    [
      'something asks for it that is the console’s alone',
      [{ ...right, consoleOnly: true }],
      'permission weigh is asked for, though it says that it is not',
    ],
    ['the id is another’s', [{ ...right, id: roleListPermission.id }], 'permission 2600 is declared twice'],
    ['the name is another’s', [{ ...right, name: 'roleList' }], 'permission roleList is declared twice'],
    [
      'the page does not exist',
      [{ ...right, under: 'cellar' }],
      'permission weigh is under cellar, which is no page with a menu id',
    ],
  ])('are refused if %s', (_why, [declared], fault) => {
    if (!declared) throw new Error('nothing declared')
    const made = permission(declared)
    const asked = fault.includes('by no call') ? [] : [asking(made)]
    expect(faultsWith({ permissions: [made], calls: asked })).toContain(fault)
  })

  it('are exported where they are declared: a call that requires another one is refused', () => {
    expect(faultsWith({ calls: [asking(permission(right))] })).toEqual([
      'call weigh/weigh asks for weigh, which no file of schema/ exports',
    ])
  })

  it('that only the console uses are used by the console', () => {
    const sources = readdirSync(web, { recursive: true, encoding: 'utf8' })
      .filter((path) => /\.tsx?$/.test(path) && !path.startsWith('dist'))
      .map((path) => readFileSync(join(web, path), 'utf8'))
      .join('\n')
    const alone = permissions.filter(({ consoleOnly }) => consoleOnly)
    expect(alone.filter(({ name }) => !sources.includes(`can(${name}Permission)`))).toEqual([])
  })
})

describe('screens', () => {
  it.each([
    ['name', { ...page, name: roleScreen.name }, 'screen role-list is declared twice'],
    ['path', { ...page, path: roleScreen.path }, `path ${roleScreen.path} is declared twice`],
    ['menu id', { ...page, menuId: roleScreen.menuId }, 'menu id 26 is declared twice'],
    [
      'place',
      { ...page, parent: 'system', place: roleScreen.place ?? 0 } as const,
      `place system ${roleScreen.place} is declared twice`,
    ],
  ] as const)('are refused with the %s of another', (_what, declared, fault) => {
    expect(faultsWith({ screens: [screen(declared)] })).toEqual([fault])
  })

  it('with their own menu id belong to a page of the side menu', () => {
    const { parent: _parent, place: _place, ...rest } = page
    const orphan = screen({ ...rest, under: screen({ name: 'cellar', path: '/cellar', area: 'management' }) })
    expect(faultsWith({ screens: [orphan] })).toEqual([
      'screen scale is under cellar, which is no page of the side menu',
    ])
  })

  it('open with the menu id of the page that they are reached from', () => {
    const detail = screen({ name: 'scale-detail', path: '/scale/:id', under: roleScreen, area: 'management' })
    expect(detail.menuId).toBe(26)
    expect(faultsWith({ screens: [detail] })).toEqual([])
  })

  it('have a page file each, and each page file has its screen', () => {
    const files = ['pages', 'monitor-pages']
      .flatMap((folder) => readdirSync(join(web, folder)))
      .filter((file) => file.endsWith('.tsx') && !file.endsWith('.test.tsx'))
      .map((file) => basename(file, '.tsx'))
    // Not among the declared pages of the router: targets of mail links, and the page for unknown URLs.
    const undeclared = ['confirm-email', 'confirm-recipient', 'invitation', 'kiosk', 'not-found']
    expect([...screens.map(({ name }) => name), ...undeclared].sort()).toEqual(files.sort())
  })
})

describe('names', () => {
  const declared = {
    permission: permissions.map(({ name }) => name),
    screen: screens.map(({ name }) => name).filter((name) => name !== loginScreen.name),
    section: [ACCOUNT, ...Object.keys(menuParents)],
  }
  it.each(languages)(
    'in %s: each declaration has one, none is of something undeclared, no two are alike',
    (language) => {
      for (const part of ['permission', 'screen', 'section'] as const) {
        const names = readNames(part, language)
        expect(Object.keys(names).sort()).toEqual(declared[part].toSorted())
        // [§3 Menu response] Each area has its device management, and its statistical reports.
        const inMonitor = ([name]: [string, string]) => part === 'section' && name.startsWith('monitor')
        for (const alike of Object.values(
          Object.groupBy(Object.entries(names), (one) => String(inMonitor(one))),
        )) {
          const said = (alike ?? []).map(([, text]) => text)
          expect(said.filter((text, i) => text.trim() === '' || said.indexOf(text) !== i)).toEqual([])
        }
      }
    },
  )
})

describe('template roles', () => {
  const grants = templateRoles.map((role) => grantsOf(role, { permissions, screens }))
  it('include the permissions of those below them, and more', () => {
    for (const [i, { functionIds, menuIds }] of grants.entries()) {
      const below = grants[i - 1]
      if (!below) continue
      expect(functionIds).toEqual(expect.arrayContaining(below.functionIds))
      expect(functionIds.length + menuIds.length).toBeGreaterThan(
        below.functionIds.length + below.menuIds.length,
      )
    }
  })
  it('together have everything; the tree shows every permission and every page once', () => {
    const shown = permissionTree({ permissions, screens }).flatMap((section) => section.pages)
    const ids = permissions.map(({ id }) => id)
    expect(shown.flatMap((entry) => entry.permissions.map(({ id }) => id)).sort()).toEqual([...ids].sort())
    expect(grants.at(-1)?.functionIds.toSorted()).toEqual(ids.toSorted())
    expect(shown.flatMap(({ page: own }) => own?.menuId ?? [])).toEqual(pages.map(({ menuId }) => menuId))
  })
})
