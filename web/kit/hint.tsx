/**
 * The tooltip for elements in list rows. A list of ten rows has some seventy of them, and the library prepares each
 * one with forty hooks before it is hovered: half the cost of rendering a list. Here it is created when it is first
 * hovered or focused; appearance, delay and accessibility are the same.
 */
import { Tooltip, type TooltipProps } from '@mantine/core'
import {
  cloneElement,
  type FocusEvent,
  type MouseEvent,
  type PointerEvent,
  type ReactElement,
  type ReactNode,
  useEffect,
  useId,
  useRef,
  useState,
} from 'react'

/** Same delay as the theme sets for all other tooltips. */
const OPEN_MS = 300

type Handled = {
  ref?: React.Ref<HTMLElement>
  'aria-describedby'?: string | undefined
  onPointerEnter?: (event: PointerEvent) => void
  onMouseEnter?: (event: MouseEvent) => void
  onMouseLeave?: (event: MouseEvent) => void
  onFocus?: (event: FocusEvent<HTMLElement>) => void
  onBlur?: (event: FocusEvent<HTMLElement>) => void
}

type Props = Pick<TooltipProps, 'position' | 'maw'> & {
  label: ReactNode
  disabled?: boolean
  /** If set, the caller controls when it is shown. */
  opened?: boolean
  /** Also on keyboard focus and on touch: the information is available nowhere else. */
  everywhere?: boolean
  /** A single element; its handlers that are used here are called first. */
  children: ReactElement<Handled>
}

export function Hint({ label, disabled = false, opened, everywhere = false, children, ...look }: Props) {
  const id = useId()
  const target = useRef<HTMLElement>(null)
  const pointer = useRef('')
  const [made, setMade] = useState(false)
  const [ready, setReady] = useState(false)
  const [hovered, setHovered] = useState(false)
  const [inside, setInside] = useState(false)
  const [focused, setFocused] = useState(false)
  const wanted = !disabled && (opened ?? (hovered || focused))
  // It needs its anchor before it opens.
  useEffect(() => setReady(made), [made])
  useEffect(() => {
    if (opened) setMade(true)
  }, [opened])
  useEffect(() => {
    if (!inside) return setHovered(false)
    const timer = setTimeout(() => setHovered(true), OPEN_MS)
    return () => clearTimeout(timer)
  }, [inside])
  useEffect(() => {
    if (!wanted || opened !== undefined) return
    const close = ({ key }: KeyboardEvent) => {
      if (key !== 'Escape') return
      setHovered(false)
      setFocused(false)
    }
    document.addEventListener('keydown', close)
    return () => document.removeEventListener('keydown', close)
  }, [wanted, opened])

  const own = children.props
  const handlers: Handled =
    opened !== undefined
      ? {}
      : {
          onPointerEnter: (event) => {
            own.onPointerEnter?.(event)
            pointer.current = event.pointerType
          },
          // A touch also triggers these events afterwards.
          onMouseEnter: (event) => {
            own.onMouseEnter?.(event)
            if (disabled || (pointer.current === 'touch' && !everywhere)) return
            setMade(true)
            setInside(true)
          },
          onMouseLeave: (event) => {
            own.onMouseLeave?.(event)
            setInside(false)
          },
          ...(everywhere
            ? {
                onFocus: (event: FocusEvent<HTMLElement>) => {
                  own.onFocus?.(event)
                  if (!event.currentTarget.matches(':focus-visible')) return
                  setMade(true)
                  setFocused(true)
                },
                onBlur: (event: FocusEvent<HTMLElement>) => {
                  own.onBlur?.(event)
                  setFocused(false)
                },
              }
            : {}),
        }
  const shown = wanted && ready
  return (
    <>
      {cloneElement(children, {
        ...handlers,
        ref: target,
        ...(shown ? { 'aria-describedby': id } : {}),
      })}
      {made ? (
        <Tooltip {...look} target={target} opened={shown} label={<span id={id}>{label}</span>} />
      ) : null}
    </>
  )
}
