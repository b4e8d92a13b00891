/// The form in which the values of a property were originally written, and are displayed again.
public enum DisplayForm: Hashable, Sendable {
    /// A Date that was always a date without a time: displayed as `yyyy-mm-dd`.
    case dateOnly
    /// A Double with this number of digits after the point, 1 to 15.
    case decimalPlaces(Int)
    /// A computed Double that has this number of digits after the point apart from rounding errors,
    /// 1 to 15: 22.970000000000002 is displayed as 22.97, and 4.594 with all of its digits.
    ///
    /// Only columns of results have this form, never properties.
    case computedPlaces(Int)
}
