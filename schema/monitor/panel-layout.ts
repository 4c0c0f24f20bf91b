/** The layout of a panel's widgets: a grid of 24 columns, without overlaps. Pure; used by server and browser. */

export const PANEL_COLUMNS = 24
export const PANEL_ROWS = 120
export const WIDGETS_MAX = 60

export const widgetKinds = ['figure', 'gauge', 'trend', 'table', 'map', 'switch', 'picture'] as const
export type WidgetKind = (typeof widgetKinds)[number]

export type Place = { x: number; y: number; w: number; h: number }
export type Placed = Place & { key: string }

/** The size of a new widget, the least one, and how many variables it shows. */
export const widgetFacts: Readonly<
  Record<WidgetKind, { w: number; h: number; minW: number; minH: number; variables: number }>
> = {
  figure: { w: 4, h: 3, minW: 2, minH: 2, variables: 1 },
  gauge: { w: 5, h: 5, minW: 3, minH: 3, variables: 1 },
  trend: { w: 12, h: 7, minW: 5, minH: 4, variables: 8 },
  table: { w: 8, h: 7, minW: 4, minH: 3, variables: 40 },
  map: { w: 8, h: 8, minW: 4, minH: 4, variables: 0 },
  switch: { w: 4, h: 3, minW: 3, minH: 2, variables: 1 },
  picture: { w: 12, h: 9, minW: 3, minH: 3, variables: 40 },
}

const within = (least: number, value: number, most: number) => Math.max(least, Math.min(most, value))

/** The nearest place in the grid, in whole cells and not smaller than the kind allows. */
export function snapped(place: Place, kind: WidgetKind): Place {
  const { minW, minH } = widgetFacts[kind]
  const w = within(minW, Math.round(place.w), PANEL_COLUMNS)
  const h = within(minH, Math.round(place.h), PANEL_ROWS)
  return {
    w,
    h,
    x: within(0, Math.round(place.x), PANEL_COLUMNS - w),
    y: within(0, Math.round(place.y), PANEL_ROWS - h),
  }
}

export const overlaps = (a: Place, b: Place): boolean =>
  a.x < b.x + b.w && b.x < a.x + a.w && a.y < b.y + b.h && b.y < a.y + a.h

/** Sorts top to bottom, then left to right: the reading order, and the order on a phone. */
export const inReading = <T extends Place>(list: readonly T[]): T[] =>
  list.toSorted((a, b) => a.y - b.y || a.x - b.x)

export const rowsOf = (list: readonly Place[]): number => Math.max(0, ...list.map(({ y, h }) => y + h))

/**
 * The widget `key` at its new place; those that it would cover move down, and those below them. Returns null if one of
 * them would leave the grid.
 */
export function placed<T extends Placed>(list: readonly T[], key: string, place: Place): T[] | null {
  const moved = list.find((one) => one.key === key)
  if (!moved) return [...list]
  const settled: T[] = [{ ...moved, ...place }]
  for (const one of inReading(list)) {
    if (one.key === key) continue
    let at = one
    for (;;) {
      const under = settled.filter((other) => overlaps(other, at))
      if (under.length === 0) break
      at = { ...at, y: Math.max(...under.map(({ y, h }) => y + h)) }
    }
    settled.push(at)
  }
  if (rowsOf(settled) > PANEL_ROWS) return null
  // The order stays, so that an element that is being dragged stays where it is in the document.
  return list.map(({ key: of }) => settled.find((one) => one.key === of) as T)
}

/** The first place from the top where it fits; null: there is none. */
export function freePlace(list: readonly Place[], { w, h }: { w: number; h: number }): Place | null {
  for (let y = 0; y + h <= PANEL_ROWS; y++)
    for (let x = 0; x + w <= PANEL_COLUMNS; x++) {
      const place = { x, y, w, h }
      if (!list.some((one) => overlaps(one, place))) return place
    }
  return null
}

/** The fault of an arrangement, and the widget that has it. */
export function layoutFault(
  list: readonly (Placed & { kind: WidgetKind; variables: readonly unknown[] })[],
): { fault: 'twice' | 'overlap' | 'misfit'; key: string } | null {
  for (const [i, one] of list.entries()) {
    const { key, kind } = one
    const { minW, minH, variables } = widgetFacts[kind]
    const before = list.slice(0, i)
    if (before.some((other) => other.key === key)) return { fault: 'twice', key }
    const isInside = one.x + one.w <= PANEL_COLUMNS && one.y + one.h <= PANEL_ROWS
    if (!isInside || one.w < minW || one.h < minH || one.variables.length > variables)
      return { fault: 'misfit', key }
    if (before.some((other) => overlaps(other, one))) return { fault: 'overlap', key }
  }
  return null
}
