import FirnEngine
import FirnQuery
import FirnValues

/// Collections of objects by the name of their property, whatever the class of the objects is.
extension ObjectBase {
    /// The list of objects that a property has.
    ///
    ///     for dog in person.dynamicList("dogs") { print(dog["name"] ?? "") }
    ///
    /// - Parameter propertyName: of a list of objects of this managed object; the program stops for another
    ///   one. Lists of values come from the subscript: `person["marks"] as? List<Int>`.
    public final func dynamicList(_ propertyName: String) -> List<DynamicObject> {
        List(collection(propertyName, .list))
    }

    /// The set of objects that a property has.
    ///
    /// - Parameter propertyName: of a set of objects of this managed object; the program stops for another
    ///   one. Sets of values come from the subscript: `person["tags"] as? MutableSet<String>`.
    public final func dynamicMutableSet(_ propertyName: String) -> MutableSet<DynamicObject> {
        MutableSet(collection(propertyName, .set))
    }

    /// The map with objects as values that a property has.
    ///
    /// - Parameter propertyName: of a map of objects of this managed object; the program stops for another
    ///   one. Maps of values come from the subscript: `person["scores"] as? Map<String, Int>`.
    public final func dynamicMap<Key: _MapKey>(
        _ propertyName: String
    ) -> Map<Key, DynamicObject?> {
        Map(collection(propertyName, .map))
    }

    private final func collection(
        _ name: String, _ container: FirnValues.PropertyType.Container
    ) -> PropertyCore {
        guard let access else {
            misuse("dynamic collections are for objects of a realm: add the object first")
        }
        let place = access.binding.place(of: name)
        let type = access.binding.columns[place].type
        guard type.container == container, type.base == .link else {
            let isInverse = !access.binding.storesPlace(place)
            misuse(
                "\(access.binding.layout.className).\(name) is no \(container) of objects, it is "
                    + (isInverse ? "an inverse" : access.instance.snapshot.schema.typeName(type))
                    + ": read it with object[\"\(name)\"]")
        }
        return PropertyCore(self, place)
    }
}
