/// The form in which the values of a property were originally written, and are displayed again.
public enum DisplayForm: Hashable, Sendable {
    /// A Date that was always a date without a time: displayed as `yyyy-mm-dd`.
    case dateOnly
    /// A Double with this number of digits after the point, 1 to 15.
    case decimalPlaces(Int)
}
