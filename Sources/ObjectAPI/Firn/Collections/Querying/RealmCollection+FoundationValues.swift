import FirnQuery
import FirnValues
public import Foundation

/// Aggregating the values of a property to objects of Foundation.
extension RealmCollection {
    /// Returns the lowest value of a property, or `nil` if no object has a value.
    ///
    /// - Parameter property: A number, or a path to one across to-one links. The program stops if
    ///   it does not exist.
    @_disfavoredOverload
    public func min(ofProperty property: String) -> NSNumber? {
        aggregate(.minimum, property).foundationNumber
    }

    /// Returns the highest value of a property, or `nil` if no object has a value.
    ///
    /// - Parameter property: A number, or a path to one across to-one links. The program stops if
    ///   it does not exist.
    @_disfavoredOverload
    public func max(ofProperty property: String) -> NSNumber? {
        aggregate(.maximum, property).foundationNumber
    }

    /// Returns the earliest date of a property, or `nil` if no object has a value.
    ///
    /// - Parameter property: A date, or a path to one across to-one links. The program stops if it
    ///   does not exist.
    @_disfavoredOverload
    public func min(ofProperty property: String) -> NSDate? {
        (min(ofProperty: property) as Date?) as NSDate?
    }

    /// Returns the latest date of a property, or `nil` if no object has a value.
    ///
    /// - Parameter property: A date, or a path to one across to-one links. The program stops if it
    ///   does not exist.
    @_disfavoredOverload
    public func max(ofProperty property: String) -> NSDate? {
        (max(ofProperty: property) as Date?) as NSDate?
    }

    /// Returns the sum of the values of a property, ignoring nil, or 0 if there are none.
    ///
    /// - Parameter property: A number, or a path to one across to-one links. The program stops if
    ///   it does not exist.
    @_disfavoredOverload
    public func sum(ofProperty property: String) -> NSNumber {
        aggregate(.sum, property).foundationNumber ?? 0
    }

    /// Returns the average of the values of a property, ignoring nil, or `nil` if there are none.
    ///
    /// - Parameter property: A number, or a path to one across to-one links. The program stops if
    ///   it does not exist.
    @_disfavoredOverload
    public func average(ofProperty property: String) -> NSNumber? {
        aggregate(.average, property).foundationNumber
    }
}

/// Aggregating the values of a property to objects of Foundation.
extension Map {
    /// Returns the lowest value of a property, or `nil` if no object has a value.
    @_disfavoredOverload
    public func min(ofProperty property: String) -> NSNumber? {
        valueCollection.min(ofProperty: property)
    }

    /// Returns the highest value of a property, or `nil` if no object has a value.
    @_disfavoredOverload
    public func max(ofProperty property: String) -> NSNumber? {
        valueCollection.max(ofProperty: property)
    }

    /// Returns the earliest date of a property, or `nil` if no object has a value.
    @_disfavoredOverload
    public func min(ofProperty property: String) -> NSDate? {
        valueCollection.min(ofProperty: property)
    }

    /// Returns the latest date of a property, or `nil` if no object has a value.
    @_disfavoredOverload
    public func max(ofProperty property: String) -> NSDate? {
        valueCollection.max(ofProperty: property)
    }

    /// Returns the sum of the values of a property, ignoring nil, or 0 if there are none.
    @_disfavoredOverload
    public func sum(ofProperty property: String) -> NSNumber {
        valueCollection.sum(ofProperty: property)
    }

    /// Returns the average of the values of a property, ignoring nil, or `nil` if there are none.
    @_disfavoredOverload
    public func average(ofProperty property: String) -> NSNumber? {
        valueCollection.average(ofProperty: property)
    }
}

extension Value {
    /// The value as a number of Foundation, or `nil` for null.
    fileprivate var foundationNumber: NSNumber? {
        switch self {
        case .null: nil
        case .int(let number): NSNumber(value: number)
        case .float(let number): NSNumber(value: number)
        case .double(let number): NSNumber(value: number)
        case .bool(let flag): NSNumber(value: flag)
        case .decimal128(let bits):
            NSDecimalNumber(decimal: Decimal128(bits: bits).decimalValue)
        default: misuse("the aggregate is a \(tag) and no number: ask for its own type")
        }
    }
}
