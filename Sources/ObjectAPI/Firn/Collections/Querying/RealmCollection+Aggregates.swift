import FirnEngine
import FirnQuery
import FirnValues

/// Aggregating the values of a property by its name.
extension RealmCollection {
    /// Returns the lowest value of a property, or `nil` if no object has a value.
    ///
    /// - Parameter property: A property, or a path to one across to-one links. The program stops if
    ///   it does not exist.
    /// - Complexity: O(elements), without creating their objects
    public func min<T: MinMaxType>(ofProperty property: String) -> T? {
        extreme(.minimum, property)
    }

    /// Returns the highest value of a property, or `nil` if no object has a value.
    ///
    /// - Parameter property: A property, or a path to one across to-one links. The program stops if
    ///   it does not exist.
    /// - Complexity: O(elements), without creating their objects
    public func max<T: MinMaxType>(ofProperty property: String) -> T? {
        extreme(.maximum, property)
    }

    /// Returns the sum of the values of a property, ignoring nil, or 0 if there are none.
    ///
    /// - Parameter property: A property, or a path to one across to-one links. The program stops if
    ///   it does not exist, or if the result type cannot represent the sum.
    /// - Complexity: O(elements), without creating their objects
    public func sum<T: RealmCollectionValue>(ofProperty property: String) -> T
    where T.PersistedType: AddableType {
        number(aggregate(.sum, property))
    }

    /// Returns the average of the values of a property, ignoring nil, or `nil` if there are none.
    ///
    /// If the result type is an integer, the fraction is discarded.
    ///
    /// - Parameter property: A property, or a path to one across to-one links. The program stops if
    ///   it does not exist.
    /// - Complexity: O(elements), without creating their objects
    public func average<T: RealmCollectionValue>(ofProperty property: String) -> T?
    where T.PersistedType: AddableType {
        let value = aggregate(.average, property)
        return value.isNull ? nil : number(value)
    }

    fileprivate func extreme<T: RealmCollectionValue>(
        _ function: BoundAggregate.Function, _ property: String
    ) -> T? {
        let value = aggregate(function, property)
        return value.isNull ? nil : number(value)
    }

    /// Returns an aggregate over all elements, as computed by the database.
    func aggregate(_ function: BoundAggregate.Function, _ property: String) -> Value {
        guard let core = _core else { return unmanagedAggregate(function, property) }
        guard core.elementClass != nil else {
            guard property == "self", case .values(let values) = core.content else {
                misuse("\(core.name) has values and not objects: they have no \"\(property)\"")
            }
            return combined(values, function, Element._element.type.base)
        }
        let chain = core.chain(for: function.rawValue)
        let stage = chain.aggregate(function, property)
        let columns = core.instance.reading("computing \(function.rawValue) of \(property)") {
            () throws(StoreError) in try chain.values([stage])
        }
        // A collection whose owner is gone has no values.
        return columns?.first?.first ?? (function == .sum ? .int(0) : .null)
    }

    private func unmanagedAggregate(
        _ function: BoundAggregate.Function, _ property: String
    ) -> Value {
        var values: [Value] = []
        var kind = Element._element.type.base
        for element in _unmanaged {
            guard property != "self" else {
                values.append(LinkLookup.value(of: element, in: nil) ?? .null)
                continue
            }
            guard let object = element as? ObjectBase else {
                misuse(
                    "a collection of \(Element.self) has values and not objects: they have no \"\(property)\""
                )
            }
            let layout = object.layout
            // The declared type is used, because values of type Any have several types.
            if let index = layout.index(of: property) {
                kind = layout.properties[index].declaration.type.base
            }
            values.append(object.storedValue(of: property))
        }
        // The sum of no values of type Any is a decimal number in a realm.
        if function == .sum, values.isEmpty { return .int(0) }
        return combined(values, function, kind)
    }

    private func combined(
        _ values: [Value], _ function: BoundAggregate.Function, _ kind: ValueTag
    ) -> Value {
        guard kind != .link else { return function == .sum ? .int(0) : .null }
        guard function.accepts(kind) else {
            misuse("\(function.rawValue) needs a number, not \(kind.name)")
        }
        guard let value = function.value(over: values, kind: kind) else {
            misuse("the sum leaves the range of a 64-bit integer: use average, which cannot")
        }
        return value
    }

    private func number<T: RealmCollectionValue>(_ value: Value) -> T {
        let type = T._element.type
        guard let fitting = value.truncated(to: type) else {
            misuse("the result is out of the range of \(T.self): ask for a wider type")
        }
        return T._decode(_StoredValue(fitting), in: _RealmReference(_core?.instance))
    }
}

/// Aggregating the values of a property by its key path.
extension RealmCollection where Element: KeypathSortable {
    /// Returns the lowest value of a property, or `nil` if no object has a value.
    public func min<T: MinMaxType>(of keyPath: KeyPath<Element, T>) -> T? {
        min(ofProperty: Element.name(of: keyPath))
    }

    /// Returns the highest value of a property, or `nil` if no object has a value.
    public func max<T: MinMaxType>(of keyPath: KeyPath<Element, T>) -> T? {
        max(ofProperty: Element.name(of: keyPath))
    }

    /// Returns the sum of the values of a property, ignoring nil, or 0 if there are none.
    public func sum<T: RealmCollectionValue>(of keyPath: KeyPath<Element, T>) -> T
    where T.PersistedType: AddableType {
        sum(ofProperty: Element.name(of: keyPath))
    }

    /// Returns the average of the values of a property, ignoring nil, or `nil` if there are none.
    public func average<T: RealmCollectionValue>(of keyPath: KeyPath<Element, T>) -> T?
    where T.PersistedType: AddableType {
        average(ofProperty: Element.name(of: keyPath))
    }
}

/// The minimum and maximum of values.
extension RealmCollection where Element: MinMaxType {
    /// Returns the lowest value, or `nil` if there is none.
    public func min() -> Element? { min(ofProperty: "self") }

    /// Returns the highest value, or `nil` if there is none.
    public func max() -> Element? { max(ofProperty: "self") }
}

/// The minimum and maximum in generic code that may know only the stored type of the values.
extension RealmCollection where Element.PersistedType: MinMaxType {
    /// Returns the lowest value, or `nil` if there is none.
    @_disfavoredOverload
    public func min() -> Element? { extreme(.minimum, "self") }

    /// Returns the highest value, or `nil` if there is none.
    @_disfavoredOverload
    public func max() -> Element? { extreme(.maximum, "self") }
}

/// The minimum and maximum of a property in generic code.
extension RealmCollection where Element: KeypathSortable {
    /// Returns the lowest value of a property, or `nil` if no object has a value.
    @_disfavoredOverload
    public func min<T: RealmCollectionValue>(of keyPath: KeyPath<Element, T>) -> T?
    where T.PersistedType: MinMaxType { extreme(.minimum, Element.name(of: keyPath)) }

    /// Returns the highest value of a property, or `nil` if no object has a value.
    @_disfavoredOverload
    public func max<T: RealmCollectionValue>(of keyPath: KeyPath<Element, T>) -> T?
    where T.PersistedType: MinMaxType { extreme(.maximum, Element.name(of: keyPath)) }
}

/// The sum and average of values.
extension RealmCollection where Element.PersistedType: AddableType {
    /// Returns the sum of the values, ignoring nil, or 0 if there are none.
    public func sum() -> Element { sum(ofProperty: "self") }

    /// Returns the average of the values, ignoring nil, or `nil` if there are none.
    public func average<T: RealmCollectionValue>() -> T?
    where T.PersistedType: AddableType { average(ofProperty: "self") }
}

extension BoundAggregate.Function {
    /// Returns whether the function is defined for values of a type.
    fileprivate func accepts(_ kind: ValueTag) -> Bool {
        switch (self, kind) {
        case (.sum, .int), (.sum, .float), (.sum, .double), (.sum, .decimal128), (.sum, .any): true
        case (.average, _): BoundAggregate.Function.sum.accepts(kind)
        case (.sum, _): false
        case (.median, _), (.quantile, _), (.deviation, _), (.variance, _):
            kind != .any && BoundAggregate.Function.sum.accepts(kind)
        case (.count, _), (.minimum, _), (.maximum, _), (.distinct, _), (.first, _), (.last, _):
            true
        }
    }
}
