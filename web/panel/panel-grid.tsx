/** The grid of a panel: to look at, to fill a screen, or to arrange with pointer and keys. */
import { VisuallyHidden } from '@mantine/core'
import { type CSSProperties, type KeyboardEvent, type ReactNode, useEffect, useRef, useState } from 'react'
import { inReading, rowsOf } from '#schema/monitor/panel-layout'
import { t } from '../kit/i18n.ts'
import { useNarrow } from '../kit/narrow.ts'
import { focusContent } from '../kit/page/focus-content.ts'
import classes from './panel.module.css'
import { movedTo, type Widget, without } from './panel-draft.ts'
import { usePanelDrag } from './use-panel-drag.ts'

const at = ({ x, y, w, h }: Widget) => ({ '--x': x, '--y': y, '--w': w, '--h': h }) as CSSProperties

type Props = { widgets: readonly Widget[]; fills?: boolean; draw: (widget: Widget) => ReactNode }

export function PanelGrid({ widgets, fills, draw }: Props) {
  return (
    <div
      className={classes['grid']}
      data-fills={fills || undefined}
      style={{ '--rows': Math.max(1, rowsOf(widgets)) } as CSSProperties}
    >
      {inReading(widgets).map((one) => (
        <section
          key={one.key}
          className={classes['widget']}
          style={at(one)}
          aria-label={one.title || undefined}
        >
          {draw(one)}
        </section>
      ))}
    </div>
  )
}

const arrows: Readonly<Record<string, readonly [number, number]>> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
}

type EditProps = Props & {
  nameOf: (widget: Widget) => string
  /** The widget whose settings are open: it is brought into view, as a new one may be below it. */
  opened: string | null
  /** `mark`: steps with the same one are undone together. */
  onChange: (list: readonly Widget[], mark?: string) => void
  onOpen: (key: string) => void
}

/** Each widget is a button that opens its settings, is dragged, and moved or resized by the arrow keys. */
export function PanelEditGrid({ widgets, draw, nameOf, opened, onChange, onOpen }: EditProps) {
  const grid = useRef<HTMLDivElement>(null)
  const [said, setSaid] = useState('')
  const narrow = useNarrow()
  const { shown, dragged, grips, hasMoved } = usePanelDrag(grid, widgets, onChange)
  useEffect(() => {
    if (opened !== null)
      grid.current
        ?.querySelector(`[data-widget="${CSS.escape(opened)}"]`)
        ?.scrollIntoView({ block: 'nearest' })
  }, [opened])
  const reading = inReading(shown).map(({ key }) => key)
  const focusOn = (key: string | undefined) => {
    const next =
      key && grid.current?.querySelector<HTMLElement>(`[data-widget="${CSS.escape(key)}"] > button`)
    if (next) next.focus()
    else focusContent()
  }
  const press = (event: KeyboardEvent, one: Widget) => {
    if (event.key === 'Delete' || event.key === 'Backspace') {
      event.preventDefault()
      // The focus would be lost with it. Without another widget, it goes to the page.
      const at = reading.indexOf(one.key)
      focusOn(reading[at + 1] ?? reading[at - 1])
      return onChange(without(widgets, one.key))
    }
    const step = arrows[event.key]
    if (!step || event.ctrlKey || event.metaKey || event.altKey) return
    event.preventDefault()
    const [dx, dy] = step
    const { x, y, w, h } = one
    const list = movedTo(
      widgets,
      one.key,
      event.shiftKey ? { w: w + dx, h: h + dy } : { x: x + dx, y: y + dy },
    )
    onChange(list, `keys ${one.key}`)
    // Once it is drawn there: otherwise a widget is moved out of sight.
    const { currentTarget } = event
    requestAnimationFrame(() => currentTarget.scrollIntoView({ block: 'nearest' }))
    const place = list.find(({ key }) => key === one.key) ?? one
    setSaid(t('panel:placed', { column: place.x + 1, row: place.y + 1, width: place.w, height: place.h }))
  }
  return (
    <>
      <div ref={grid} className={classes['grid']} data-edited>
        {shown.map((one) => (
          <section
            key={one.key}
            className={classes['widget']}
            style={{ ...at(one), order: reading.indexOf(one.key) }}
            data-widget={one.key}
            data-dragged={one.key === dragged || undefined}
          >
            {draw(one)}
            <button
              type="button"
              className={classes['grip']}
              aria-label={t('panel:widgetOf', { name: nameOf(one) })}
              aria-description={t('panel:keys')}
              {...(narrow ? {} : grips(one))}
              onKeyDown={(event) => press(event, one)}
              onClick={(event) => {
                // The click event that ends a drag is ignored; a click by keyboard has no detail.
                if (event.detail === 0 || !hasMoved()) onOpen(one.key)
              }}
            />
            <span className={classes['corner']} aria-hidden {...grips(one, true)} />
          </section>
        ))}
      </div>
      <VisuallyHidden aria-live="polite">{said}</VisuallyHidden>
    </>
  )
}
