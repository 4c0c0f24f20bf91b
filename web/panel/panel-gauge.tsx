import { unitText } from '../monitor/variable-columns.tsx'
import { isDoubtful, type Value, valueText } from '../monitor/variable-value.tsx'
import { endText, gaugeRange, shareOf } from './gauge-range.ts'
import classes from './panel.module.css'
import { Age, OfOne, type WidgetProps } from './panel-reading.tsx'

/** Three quarters of a circle, open below. */
const SWEEP = 270
const R = 42
const point = (share: number) => {
  const angle = ((share * SWEEP + 135) * Math.PI) / 180
  return `${(50 + R * Math.cos(angle)).toFixed(2)} ${(50 + R * Math.sin(angle)).toFixed(2)}`
}
const arc = (share: number) => `M${point(0)}A${R} ${R} 0 ${share * SWEEP > 180 ? 1 : 0} 1 ${point(share)}`

function Dial({ row, widget }: { row: Value; widget: WidgetProps['widget'] }) {
  const ends = gaugeRange(widget, row)
  const [least, most] = [endText(ends.least), endText(ends.most)]
  const said = `${valueText(row)} ${unitText(row.unit)}`.trim()
  return (
    <div className={classes['gauge']}>
      <svg viewBox="0 0 100 90" role="img" aria-label={`${row.name}: ${said} (${least} – ${most})`}>
        <path d={arc(1)} className={classes['track']} />
        {row.value === null ? null : (
          <path
            d={arc(shareOf(row.value, ends))}
            className={classes['level']}
            data-doubt={isDoubtful(row) || undefined}
          />
        )}
        <text
          x="50"
          y="54"
          className={classes['dialValue']}
          data-long={valueText(row).length > 6 || undefined}
        >
          {valueText(row)}
        </text>
        <text x="50" y="67" className={classes['dialUnit']}>
          {row.value === null ? '' : unitText(row.unit)}
        </text>
        <text x="20" y="89" className={classes['dialEnd']}>
          {least}
        </text>
        <text x="80" y="89" className={classes['dialEnd']}>
          {most}
        </text>
      </svg>
      <Age row={row} />
    </div>
  )
}

export function PanelGauge(props: WidgetProps) {
  return <OfOne {...props}>{(row) => <Dial row={row} widget={props.widget} />}</OfOne>
}
