/**
 * Declares which object a call works on. `serve()` loads the object as the actor may see it, refuses missing ones,
 * passes it to the handler, and writes it to the operation log with its fields before and after [decisions/075].
 */

import { ofKind } from './kind.ts'

/** A kind of object. Its rows and their visibility are declared once, by `stored` in the api. */
export type ObjectKind = { readonly kind: 'object'; readonly name: string }

/** @param name used permanently in the operation log: `device`, `alarmRule` */
export const object = (name: string): ObjectKind => ({ kind: 'object', name })

export const isObjectKind = ofKind<ObjectKind>('object')

/** Instead of a body field: the calling user. */
export const oneself = null

/** An object, and the body field with its id. */
export type Named = {
  readonly object: ObjectKind
  readonly by: string | typeof oneself
  /** Without an id it is the caller. */
  readonly orOneself?: boolean
}

export type About =
  /** `part`: which of its editable parts, so that edits of different parts do not conflict. */
  | (Named & { readonly does: 'edits'; readonly part: string })
  | (Named & { readonly does: 'deletes' | 'uses' | 'reads' })
  | {
      readonly does: 'makes'
      readonly object: ObjectKind
      /** The field of the reply with the new id; absent: the reply has none. */
      readonly by?: string | undefined
      /** The body field with the name; used as long as there is no row. */
      readonly named?: string | undefined
      /** The object that it belongs to: its customer can read the log entry, too. */
      readonly of?: Named | undefined
    }
  /** The handler finds the objects and reports them; `by`: the body field of their ids, if there is one. */
  | {
      readonly does: 'finds'
      readonly object: ObjectKind
      readonly by?: string | undefined
      readonly of?: Named | undefined
    }
  | { readonly does: 'nothing'; readonly why: string }

/** Changes fields of one object: the log contains the old and new values. */
export const edits = (object: ObjectKind, by: string | typeof oneself, part = 'main'): About => ({
  does: 'edits',
  object,
  by,
  part,
})
/** Deletes one object: the log contains its fields. */
export const deletes = (object: ObjectKind, by: string): About => ({ does: 'deletes', object, by })
/** Does something with one object that its own fields do not show, such as a command to a device. */
export const uses = (object: ObjectKind, by: string | typeof oneself, orOneself = false): About => ({
  does: 'uses',
  object,
  by,
  orOneself,
})
/** Reads one object, which is passed to the handler; nothing is logged. */
export const reads = (object: ObjectKind, by: string): About => ({ does: 'reads', object, by })
/** Creates an object: the log contains its fields. */
export const makes = (
  object: ObjectKind,
  { by, named, of }: { by?: string; named?: string; of?: Named },
): About => ({ does: 'makes', object, by, named, of })
/**
 * Works on objects that only the handler can find: devices of a filter, the user of a link. It reports them with
 * `tell`.
 */
export const finds = (object: ObjectKind, { by, of }: { by?: string; of?: Named } = {}): About => ({
  does: 'finds',
  object,
  by,
  of,
})
/** @param why for readers of the declaration: where it is logged instead */
export const nothing = (why: string): About => ({ does: 'nothing', why })
