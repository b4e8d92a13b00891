import FirnEngine
import FirnQuery
import FirnValues

/// One value over all objects, by the name of a property.
extension RealmCollection {
    /// The lowest value of a property; `nil` if no object has one.
    ///
    /// - Parameter property: a property, or the way to it over single links. The program stops if
    ///   there is none.
    /// - Complexity: O(elements), without making objects of them
    public func min<T: MinMaxType>(ofProperty property: String) -> T? {
        extreme(.minimum, property)
    }

    /// The highest value of a property; `nil` if no object has one.
    ///
    /// - Parameter property: a property, or the way to it over single links. The program stops if
    ///   there is none.
    /// - Complexity: O(elements), without making objects of them
    public func max<T: MinMaxType>(ofProperty property: String) -> T? {
        extreme(.maximum, property)
    }

    /// The sum of the values of a property, nil left out; 0 of nothing.
    ///
    /// - Parameter property: a property, or the way to it over single links. The program stops if
    ///   there is none, or if the sum is no value of the type.
    /// - Complexity: O(elements), without making objects of them
    public func sum<T: AddableType>(ofProperty property: String) -> T {
        number(aggregate(.sum, property))
    }

    /// The average of the values of a property, nil left out; `nil` of nothing.
    ///
    /// Asked for as an integer, what stands behind the point is left out.
    ///
    /// - Parameter property: a property, or the way to it over single links. The program stops if
    ///   there is none.
    /// - Complexity: O(elements), without making objects of them
    public func average<T: AddableType>(ofProperty property: String) -> T? {
        let value = aggregate(.average, property)
        return value.isNull ? nil : number(value)
    }

    private func extreme<T: MinMaxType>(
        _ function: BoundAggregate.Function, _ property: String
    ) -> T? {
        let value = aggregate(function, property)
        return value.isNull ? nil : number(value)
    }

    /// A value over all elements, as the database computes it.
    private func aggregate(_ function: BoundAggregate.Function, _ property: String) -> Value {
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
        // Of what is gone there is nothing.
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
            // Of the declaration: values of type Any are of several kinds.
            if let place = layout.place(of: property) {
                kind = layout.properties[place].declaration.type.base
            }
            values.append(object.storedValue(of: property))
        }
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

/// One value over all objects, by the key path of a property.
extension RealmCollection where Element: KeypathSortable {
    /// The lowest value of a property; `nil` if no object has one.
    public func min<T: MinMaxType>(of keyPath: KeyPath<Element, T>) -> T? {
        min(ofProperty: Element.name(of: keyPath))
    }

    /// The highest value of a property; `nil` if no object has one.
    public func max<T: MinMaxType>(of keyPath: KeyPath<Element, T>) -> T? {
        max(ofProperty: Element.name(of: keyPath))
    }

    /// The sum of the values of a property, nil left out; 0 of nothing.
    public func sum<T: AddableType>(of keyPath: KeyPath<Element, T>) -> T {
        sum(ofProperty: Element.name(of: keyPath))
    }

    /// The average of the values of a property, nil left out; `nil` of nothing.
    public func average<T: AddableType>(of keyPath: KeyPath<Element, T>) -> T? {
        average(ofProperty: Element.name(of: keyPath))
    }
}

/// One value over all values.
extension RealmCollection where Element: MinMaxType {
    /// The lowest value; `nil` if there is none.
    public func min() -> Element? { min(ofProperty: "self") }

    /// The highest value; `nil` if there is none.
    public func max() -> Element? { max(ofProperty: "self") }
}

/// One value over all values.
extension RealmCollection where Element: AddableType {
    /// The sum, nil left out; 0 of nothing.
    public func sum() -> Element { sum(ofProperty: "self") }

    /// The average, nil left out; `nil` of nothing.
    public func average<T: AddableType>() -> T? { average(ofProperty: "self") }
}

extension BoundAggregate.Function {
    /// Whether there is such a value over values of a kind.
    fileprivate func accepts(_ kind: ValueTag) -> Bool {
        switch (self, kind) {
        case (.sum, .int), (.sum, .float), (.sum, .double), (.sum, .decimal128), (.sum, .any): true
        case (.average, _): BoundAggregate.Function.sum.accepts(kind)
        case (.sum, _): false
        case (.count, _), (.minimum, _), (.maximum, _): true
        }
    }
}
