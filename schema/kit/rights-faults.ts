/** Finds declared permissions and screens that contradict each other or are unused: the api then refuses to start. */
import type { Call } from './call.ts'
import type { Command } from './command.ts'
import { ACCOUNT } from './permission.ts'
import { type Declared, pagesInOrder } from './rights.ts'
import type { Screen } from './screen.ts'
import type { TaskKind } from './task-kind.ts'

type Asking = {
  readonly calls: readonly Pick<Call, 'name' | 'permission'>[]
  readonly commands: readonly Pick<Command, 'name' | 'permission'>[]
  readonly kinds: readonly Pick<TaskKind, 'name' | 'permission'>[]
}

const twice = <T>(what: string, values: readonly T[]) =>
  [...new Set(values.filter((value, i) => values.indexOf(value) !== i))].map(
    (value) => `${what} ${value} is declared twice`,
  )

/** Screens whose menu id differs from that of the page they are reached from. */
const ownMenuIds = (screens: readonly Screen[]) =>
  screens.flatMap((screen) => (screen.role === undefined ? [] : (screen.menuId ?? [])))

function screenFaults({ screens }: Declared): string[] {
  const names = screens.map(({ name }) => name)
  const shown = new Set(pagesInOrder(screens).map(({ name }) => name))
  return [
    ...twice('screen', names),
    ...twice(
      'path',
      screens.map(({ path }) => path),
    ),
    ...twice('menu id', ownMenuIds(screens)),
    ...twice(
      'place',
      screens.flatMap(({ parent, place }) => (parent === undefined ? [] : `${parent} ${place}`)),
    ),
    ...screens
      .filter(({ name, role }) => role !== undefined && !shown.has(name))
      .map(({ name, under }) => `screen ${name} is under ${under}, which is no page of the side menu`),
  ]
}

/** Each required permission, with what requires it. */
function askedFor({ screens }: Declared, { calls, commands, kinds }: Asking) {
  return [
    ...calls.flatMap(({ name, permission }) =>
      typeof permission === 'object' ? [{ who: `call ${name}`, permission }] : [],
    ),
    ...commands.map(({ name, permission }) => ({ who: `command ${name}`, permission })),
    ...kinds.flatMap(({ name, permission: { create, control } }) =>
      [create, control].flatMap((permission) =>
        permission ? [{ who: `task kind ${name}`, permission }] : [],
      ),
    ),
    ...screens.flatMap(({ name, permission }) => (permission ? [{ who: `screen ${name}`, permission }] : [])),
  ]
}

function permissionFaults(declared: Declared, asking: Asking): string[] {
  const { permissions, screens } = declared
  const asked = askedFor(declared, asking)
  const known = new Map(permissions.map((held) => [held.id, held.name]))
  const pages = new Set([ACCOUNT, ...pagesInOrder(screens).map(({ name }) => name)])
  return [
    ...twice(
      'permission',
      permissions.map(({ id }) => id),
    ),
    ...twice(
      'permission',
      permissions.map(({ name }) => name),
    ),
    ...asked
      .filter(({ permission }) => known.get(permission.id) !== permission.name)
      .map(({ who, permission }) => `${who} asks for ${permission.name}, which no file of schema/ exports`),
    ...permissions.flatMap(({ id, name, under, consoleOnly, awaits }) => {
      const isAsked = asked.some(({ permission }) => permission.id === id)
      const alone = consoleOnly === true || awaits !== undefined
      return [
        isAsked || alone ? [] : `permission ${name} is asked for by no call, command, task kind or screen`,
        isAsked && alone ? `permission ${name} is asked for, though it says that it is not` : [],
        pages.has(under) ? [] : `permission ${name} is under ${under}, which is no page with a menu id`,
      ].flat()
    }),
  ]
}

/** Each fault as a sentence that names the declaration; empty if there are none. */
export const rightsFaults = (declared: Declared, asking: Asking): string[] => [
  ...screenFaults(declared),
  ...permissionFaults(declared, asking),
]
