// Distinct types for distinct numbers: none of them can be passed in place of another.

/// The id of an object in its class: ascending, never reused, shown as `@id`.
public struct RowID: Hashable, Comparable, Sendable {
    /// The number.
    ///
    /// The first object of a class has 0.
    public let rawValue: UInt64

    /// Creates a row id from its number.
    public init(_ rawValue: UInt64) { self.rawValue = rawValue }

    /// Returns whether the left object was created before the right one.
    public static func < (left: RowID, right: RowID) -> Bool { left.rawValue < right.rawValue }
}

/// A log sequence number: the number of the commit, which is also the version that users see.
public struct LSN: Hashable, Comparable, Sendable {
    /// The number.
    ///
    /// The first commit of a database has 1.
    public let rawValue: UInt64

    /// Creates a log sequence number from its number.
    public init(_ rawValue: UInt64) { self.rawValue = rawValue }

    /// The version before the first commit.
    public static let zero = LSN(0)

    /// The version that the next commit creates, or `nil` at the end of the number range.
    public var next: LSN? {
        let (sum, overflow) = rawValue.addingReportingOverflow(1)
        return overflow ? nil : LSN(sum)
    }

    /// Returns whether the left version is older than the right one.
    public static func < (left: LSN, right: LSN) -> Bool { left.rawValue < right.rawValue }
}

/// The stable id of a class, which does not change when the class is renamed and is never reused
/// for another class.
public struct ClassID: Hashable, Comparable, Sendable {
    /// The number.
    public let rawValue: UInt32

    /// Creates a class id from its number.
    public init(_ rawValue: UInt32) { self.rawValue = rawValue }

    /// Orders classes by age, oldest first.
    public static func < (left: ClassID, right: ClassID) -> Bool { left.rawValue < right.rawValue }
}

/// The stable id of a property in its class, which does not change when the property is renamed and
/// is never reused.
public struct PropertyID: Hashable, Comparable, Sendable {
    /// The number.
    public let rawValue: UInt32

    /// Creates a property id from its number.
    public init(_ rawValue: UInt32) { self.rawValue = rawValue }

    /// Orders properties by age, oldest first.
    public static func < (left: PropertyID, right: PropertyID) -> Bool {
        left.rawValue < right.rawValue
    }
}
