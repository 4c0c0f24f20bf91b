/**
 * Strips at the top and the bottom of the window for messages. Pages, drawers and dialogs end where a lane begins, so
 * that a message covers no control, and stays visible and usable above an open drawer.
 */

type Lane = '--lane-top' | '--lane-bottom'

const laneRef = (lane: Lane) => (element: HTMLElement | null) => {
  if (!element) return
  const { style } = document.documentElement
  const observer = new ResizeObserver(() => style.setProperty(lane, `${element.offsetHeight}px`))
  observer.observe(element)
  return () => {
    observer.disconnect()
    style.removeProperty(lane)
  }
}

/** The `ref` of the element that is the lane; its height is published as a CSS variable. */
export const topLane = laneRef('--lane-top')
export const bottomLane = laneRef('--lane-bottom')
