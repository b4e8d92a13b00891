/// How the values of a property were written where they came from, so that they are shown again
/// in the same way.
public enum DisplayForm: Hashable, Sendable {
    /// A Date that only ever was a date: shown as `yyyy-mm-dd`.
    case dateOnly
    /// A Double with so many digits behind the point, 1 to 15.
    case decimalPlaces(Int)
}
