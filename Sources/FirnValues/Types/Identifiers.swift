// Distinct types for distinct numbers: none of these can be passed where another is meant.

/// The identity of an object inside its class: ascending, never used twice, shown as `@id`.
public struct RowID: Hashable, Comparable, Sendable {
    /// The number itself; the first object of a class has 0.
    public let rawValue: UInt64

    /// Makes a row id from its number.
    public init(_ rawValue: UInt64) { self.rawValue = rawValue }

    /// Whether the left object was created before the right one.
    public static func < (left: RowID, right: RowID) -> Bool { left.rawValue < right.rawValue }
}

/// A log sequence number: the number of the commit, which is also the version that users see.
public struct LSN: Hashable, Comparable, Sendable {
    /// The number itself; the first commit of a database has 1.
    public let rawValue: UInt64

    /// Makes a log sequence number from its number.
    public init(_ rawValue: UInt64) { self.rawValue = rawValue }

    /// The version before the first commit.
    public static let zero = LSN(0)

    /// The version that the next commit makes, or `nil` at the end of the number range.
    public var next: LSN? {
        let (sum, overflow) = rawValue.addingReportingOverflow(1)
        return overflow ? nil : LSN(sum)
    }

    /// Whether the left version is older than the right one.
    public static func < (left: LSN, right: LSN) -> Bool { left.rawValue < right.rawValue }
}

/// The stable identity of a class: it survives renaming and is never used for another class.
public struct ClassID: Hashable, Comparable, Sendable {
    /// The number itself.
    public let rawValue: UInt32

    /// Makes a class id from its number.
    public init(_ rawValue: UInt32) { self.rawValue = rawValue }

    /// Orders by age: the class that was added first comes first.
    public static func < (left: ClassID, right: ClassID) -> Bool { left.rawValue < right.rawValue }
}

/// The stable identity of a property inside its class: it survives renaming and is never used twice.
public struct PropertyID: Hashable, Comparable, Sendable {
    /// The number itself.
    public let rawValue: UInt32

    /// Makes a property id from its number.
    public init(_ rawValue: UInt32) { self.rawValue = rawValue }

    /// Orders by age: the property that was added first comes first.
    public static func < (left: PropertyID, right: PropertyID) -> Bool {
        left.rawValue < right.rawValue
    }
}
