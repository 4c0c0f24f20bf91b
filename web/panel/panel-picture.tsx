import { useEffect, useState } from 'react'
import { IMAGE_PATH } from '#schema/people/image'
import { t } from '../kit/i18n.ts'
import { isKiosk, token } from '../kit/session.ts'
import { unitText } from '../monitor/variable-columns.tsx'
import { isDoubtful, valueText } from '../monitor/variable-value.tsx'
import classes from './panel.module.css'
import { Doubt, Note, type WidgetProps } from './panel-reading.tsx'
import { keyOf } from './panel-values.ts'

const held = new Map<string, Promise<string>>()
async function fetched(path: string): Promise<string> {
  const answer = await fetch(path, { headers: { token: token() ?? '' } })
  if (!answer.ok) throw new Error(`picture: ${answer.status}`)
  return URL.createObjectURL(await answer.blob())
}

/** Nobody reloads a screen on a wall: what has not come is asked for again. */
const AGAIN_MS = 10_000

/** A screen on a wall has its token in memory, which <img> does not send. */
function usePicture(imageId: string | undefined): string | undefined {
  const path = imageId && `${IMAGE_PATH}${imageId}`
  const [shown, setShown] = useState<{ path: string; url: string }>()
  useEffect(() => {
    if (!path || !isKiosk()) return
    let timer: ReturnType<typeof setInterval> | undefined
    let isOver = false
    const load = async () => {
      if (!held.has(path)) held.set(path, fetched(path))
      try {
        const url = await held.get(path)
        clearInterval(timer)
        if (url && !isOver) setShown({ path, url })
      } catch {
        held.delete(path)
      }
    }
    timer = setInterval(() => void load(), AGAIN_MS)
    void load()
    return () => {
      isOver = true
      clearInterval(timer)
    }
  }, [path])
  if (!isKiosk()) return path
  return shown?.path === path ? shown?.url : undefined
}

/** A picture as large as fits, and the values at their places on it. */
export function PanelPicture({ widget, values }: WidgetProps) {
  const [ratio, setRatio] = useState(1)
  const { imageId, variables, title } = widget
  const src = usePicture(imageId)
  if (!imageId) return <Note>{t('panel:noPicture')}</Note>
  return (
    <div className={classes['picture']}>
      <div
        className={classes['pane']}
        style={{ aspectRatio: ratio, width: `min(100cqw, ${100 * ratio}cqh)` }}
      >
        <img
          src={src}
          alt={title}
          onLoad={({ currentTarget: { naturalWidth, naturalHeight } }) =>
            setRatio(naturalWidth / Math.max(1, naturalHeight))
          }
        />
        {variables.map((variable) => {
          const row = values.of(variable)
          if (row === undefined) return null
          return (
            <span
              key={keyOf(variable)}
              className={classes['mark']}
              style={{ left: `${variable.left ?? 50}%`, top: `${variable.top ?? 50}%` }}
              data-doubt={row === null || isDoubtful(row) || undefined}
            >
              {row === null ? (
                t('panel:gone')
              ) : (
                <>
                  <small>{row.name}</small>
                  <strong className="tabular">{`${valueText(row)} ${row.value === null ? '' : unitText(row.unit)}`}</strong>
                  <Doubt row={row} />
                </>
              )}
            </span>
          )
        })}
      </div>
    </div>
  )
}
