/** What an operation was about: "Device · NAME (#id)", as a link if the object has a page that the user may open. */
import { generatePath, Link } from 'react-router'
import { deviceObject } from '#schema/device/device-object'
import { deviceDetailScreen } from '#schema/device/device-pages'
import type { Screen } from '#schema/kit/screen'
import { taskObject } from '#schema/task/task-object'
import { taskDetailScreen } from '#schema/task/task-pages'
import { UNKNOWN } from '../kit/format.ts'
import { tOr } from '../kit/i18n.ts'
import { holdsScreen } from '../kit/session.ts'
import type { OperationRow } from './operation-row.tsx'

type Shown = Pick<OperationRow, 'object' | 'objectKind' | 'objectIds'>

/** The kinds of objects that have a page of their own. */
const pages: Readonly<Record<string, { screen: Screen; params: (id: string) => Record<string, string> }>> = {
  [deviceObject.name]: { screen: deviceDetailScreen, params: (did) => ({ id: '0', did }) },
  [taskObject.name]: { screen: taskDetailScreen, params: (taskId) => ({ taskId }) },
}

/** A row without an object has no text. The kind of a later version is shown by its own name. */
export function objectText({ object, objectKind, objectIds }: Shown): string | null {
  const [id, more] = objectIds
  const own = id === undefined || more !== undefined ? null : `#${id}`
  // The name of a refused row has its id already.
  const hasId = own === null || object === own || object?.endsWith(`(${own})`)
  const name = hasId ? object : object === null ? own : `${object} (${own})`
  const kind = objectKind === null ? null : tOr(`operation:kind.${objectKind}`, objectKind)
  return [kind, name].filter(Boolean).join(' · ') || null
}

export function OperationObject({ row }: { row: Shown }) {
  const [id, more] = row.objectIds
  const page = pages[row.objectKind ?? '']
  const text = objectText(row) ?? UNKNOWN
  return page && id !== undefined && more === undefined && holdsScreen(page.screen) ? (
    <Link to={generatePath(page.screen.path, page.params(id))}>{text}</Link>
  ) : (
    text
  )
}
