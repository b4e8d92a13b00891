import FirnValues
public import Foundation

/// A type whose values have a minimum and a maximum.
public protocol MinMaxType: RealmCollectionValue {}

/// A type whose values have a sum and an average.
public protocol AddableType: RealmCollectionValue {}

/// A type whose values can be sorted.
public protocol SortableType: RealmCollectionValue {}

/// A type whose objects can be sorted by a key path: objects and projections.
public protocol KeypathSortable {}

extension Int: MinMaxType, AddableType, SortableType {}
extension Int8: MinMaxType, AddableType, SortableType {}
extension Int16: MinMaxType, AddableType, SortableType {}
extension Int32: MinMaxType, AddableType, SortableType {}
extension Int64: MinMaxType, AddableType, SortableType {}
extension Float: MinMaxType, AddableType, SortableType {}
extension Double: MinMaxType, AddableType, SortableType {}
extension Date: MinMaxType, SortableType {}
extension Decimal128: MinMaxType, AddableType, SortableType {}
extension ObjectId: SortableType {}
extension Bool: SortableType {}
extension String: SortableType {}
extension Data: SortableType {}
extension Foundation.UUID: SortableType {}
extension Optional: MinMaxType where Wrapped: MinMaxType & _OptionalCapable {}
extension Optional: AddableType where Wrapped: AddableType & _OptionalCapable {}
extension Optional: SortableType where Wrapped: SortableType & _OptionalCapable {}
