import classes from './login-picture.module.css'

const nodes = [
  { x: 200, y: 150, r: 30, big: true },
  { x: 70, y: 70, r: 14 },
  { x: 330, y: 60, r: 14 },
  { x: 50, y: 200, r: 12 },
  { x: 350, y: 190, r: 14 },
  { x: 130, y: 265, r: 12 },
  { x: 285, y: 270, r: 12 },
  { x: 200, y: 28, r: 10 },
] as const
const [hub, ...leaves] = nodes

/** Decorative: devices around a hub, with messages. */
export function LoginPicture() {
  return (
    <svg viewBox="0 0 400 300" className={classes['picture']} aria-hidden>
      <g fill="none" stroke="rgba(255,255,255,.28)" strokeWidth="1.5">
        {leaves.map(({ x, y }) => (
          <path
            key={`${x}`}
            d={`M${hub.x} ${hub.y} Q${(hub.x + x) / 2 + (y - hub.y) / 6} ${(hub.y + y) / 2 - (x - hub.x) / 6} ${x} ${y}`}
          />
        ))}
        {[60, 100, 140].map((r) => (
          <circle key={r} cx={hub.x} cy={hub.y} r={r} strokeDasharray="2 7" opacity=".6" />
        ))}
      </g>
      <g className={classes['messages']} fill="none" stroke="#3DF0B5" strokeWidth="2.5" strokeLinecap="round">
        {leaves.map(({ x, y }) => (
          <path
            key={`${x}`}
            pathLength={100}
            d={`M${x} ${y} Q${(hub.x + x) / 2 + (y - hub.y) / 6} ${(hub.y + y) / 2 - (x - hub.x) / 6} ${hub.x} ${hub.y}`}
          />
        ))}
      </g>
      {leaves.map(({ x, y, r }) => (
        <g key={`${x}`}>
          <circle cx={x} cy={y} r={r} fill="#0C4088" stroke="rgba(255,255,255,.55)" strokeWidth="1.5" />
          <circle cx={x} cy={y} r={3.5} fill="#3DF0B5" />
        </g>
      ))}
      <circle cx={hub.x} cy={hub.y} r={38} fill="rgba(255,255,255,.12)" />
      <circle cx={hub.x} cy={hub.y} r={hub.r} fill="#fff" />
      <g fill="none" stroke="#1762C7" strokeWidth="3" strokeLinecap="round">
        <path d="M187 146a18 18 0 0 1 26 0" />
        <path d="M192.5 152.5a10 10 0 0 1 15 0" />
      </g>
      <circle cx={hub.x} cy={160} r={3.5} fill="#1762C7" />
    </svg>
  )
}
