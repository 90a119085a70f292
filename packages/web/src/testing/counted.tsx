/** Counts the renders of a component, for tests that stand it in for the real one. */
import { type ComponentType, Profiler } from "react";

export function counted<Props extends object>(
  Real: ComponentType<Props>,
  onRender: () => void,
): ComponentType<Props> {
  return function Counted(props: Props) {
    return (
      <Profiler id="counted" onRender={onRender}>
        <Real {...props} />
      </Profiler>
    );
  };
}
