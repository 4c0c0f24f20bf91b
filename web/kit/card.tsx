import type { ReactNode } from 'react'
import classes from './kit.module.css'

type CardProps = { title?: ReactNode; side?: ReactNode; children: ReactNode }

/** A titled surface; `side` is shown at the right of the title. */
export function Card({ title, side, children }: CardProps) {
  return (
    <section className={classes['card']}>
      {title || side ? (
        <h2 className={classes['cardTitle']}>
          <span>{title}</span>
          {side}
        </h2>
      ) : null}
      {children}
    </section>
  )
}

type TileProps = { label: ReactNode; value: ReactNode; note?: ReactNode; children?: ReactNode }

/** One figure: label, value, and a note or a sparkline below. */
export function Tile({ label, value, note, children }: TileProps) {
  return (
    <div className={classes['tile']}>
      <span className={classes['tileLabel']}>{label}</span>
      <span className={classes['tileValue']}>{value}</span>
      {note ? <span className={classes['tileLabel']}>{note}</span> : null}
      {children}
    </div>
  )
}
