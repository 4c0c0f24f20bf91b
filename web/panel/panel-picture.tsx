import { useState } from 'react'
import { IMAGE_PATH } from '#schema/people/image'
import { t } from '../kit/i18n.ts'
import { unitText } from '../monitor/variable-columns.tsx'
import { valueText } from '../monitor/variable-value.tsx'
import classes from './panel.module.css'
import { Doubt, isDoubtful, Note, type WidgetProps } from './panel-reading.tsx'
import { keyOf } from './panel-values.ts'

/** A picture as large as fits, and the values at their places on it. */
export function PanelPicture({ widget, values }: WidgetProps) {
  const [ratio, setRatio] = useState(1)
  const { imageId, variables, title } = widget
  if (!imageId) return <Note>{t('panel:noPicture')}</Note>
  return (
    <div className={classes['picture']}>
      <div
        className={classes['pane']}
        style={{ aspectRatio: ratio, width: `min(100cqw, ${100 * ratio}cqh)` }}
      >
        <img
          src={`${IMAGE_PATH}${imageId}`}
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
