import FirnEngine
import FirnQuery
import FirnValues

/// Accessing collections of objects of any class by the name of their property.
extension ObjectBase {
    /// Returns the list of objects in a property.
    ///
    ///     for dog in person.dynamicList("dogs") { print(dog["name"] ?? "") }
    ///
    /// - Parameter propertyName: The name of a property of this managed object that is a list of
    ///   objects. The program stops otherwise. For lists of values, use the subscript:
    ///   `person["marks"] as? List<Int>`.
    public final func dynamicList(_ propertyName: String) -> List<DynamicObject> {
        List(collection(propertyName, .list))
    }

    /// Returns the set of objects in a property.
    ///
    /// - Parameter propertyName: The name of a property of this managed object that is a set of
    ///   objects. The program stops otherwise. For sets of values, use the subscript:
    ///   `person["tags"] as? MutableSet<String>`.
    public final func dynamicMutableSet(_ propertyName: String) -> MutableSet<DynamicObject> {
        MutableSet(collection(propertyName, .set))
    }

    /// Returns the map of objects in a property.
    ///
    /// - Parameter propertyName: The name of a property of this managed object that is a map of
    ///   objects. The program stops otherwise. For maps of values, use the subscript:
    ///   `person["scores"] as? Map<String, Int>`.
    public final func dynamicMap<Key: _MapKey>(
        _ propertyName: String
    ) -> Map<Key, DynamicObject?> {
        Map(collection(propertyName, .map))
    }

    /// Returns the list of values in a property.
    ///
    ///     let marks: List<Int> = person.dynamicList("marks")
    ///
    /// - Parameter propertyName: The name of a property that is a list of such values. The program
    ///   stops otherwise.
    @_disfavoredOverload
    public final func dynamicList<Element: _SingleValue>(
        _ propertyName: String
    ) -> List<Element> { values(propertyName) }

    /// Returns the set of values in a property.
    ///
    /// - Parameter propertyName: The name of a property that is a set of such values. The program
    ///   stops otherwise.
    @_disfavoredOverload
    public final func dynamicMutableSet<Element: _SingleValue>(
        _ propertyName: String
    ) -> MutableSet<Element> { values(propertyName) }

    /// Returns the map of values in a property.
    ///
    /// - Parameter propertyName: The name of a property that is a map of such values. The program
    ///   stops otherwise.
    @_disfavoredOverload
    public final func dynamicMap<Key: _MapKey, Value: _SingleValue>(
        _ propertyName: String
    ) -> Map<Key, Value> { values(propertyName) }

    private final func values<Collection>(_ name: String) -> Collection {
        let value = self[name]
        guard let values = value as? Collection else {
            misuse(
                "\(layout.className).\(name) is \(value.map { "a \(type(of: $0))" } ?? "nil") and no "
                    + "\(Collection.self)")
        }
        return values
    }

    private final func collection(
        _ name: String, _ container: FirnValues.PropertyType.Container
    ) -> PropertyCore {
        guard let access else {
            misuse("dynamic collections are for objects of a realm: add the object first")
        }
        let index = access.binding.index(of: name)
        let type = access.binding.columns[index].type
        guard type.container == container, type.base == .link else {
            let isInverse = !access.binding.storesProperty(index)
            misuse(
                "\(access.binding.layout.className).\(name) is not a \(container) of objects, it is "
                    + (isInverse ? "an inverse" : access.instance.snapshot.schema.typeName(type))
                    + ": read it with object[\"\(name)\"]")
        }
        return PropertyCore(self, index)
    }
}
