// Names that the documentation of Realm prints, for programs that mention them.

/// ``ObjectBase``, under the name that Realm gives its class.
public typealias RLMObjectBase = ObjectBase

/// ``RealmCollection``, under the name that Realm gives the protocol of its collections.
public typealias RealmCollectionImpl = RealmCollection

/// The requirements of ``List``, ``MutableSet`` and ``Map``, under the name of their class in Realm.
public typealias RLMSwiftCollectionBase = AnyObject & ThreadConfined

/// The requirement of ``RealmProperty``, under the name of its class in Realm.
public typealias RLMSwiftValueStorage = AnyObject

/// The types of properties, under the name of the protocol in Realm.
public typealias _RealmSchemaDiscoverable = _Persistable

/// The types whose optionals are elements, under the name of the protocol in Realm.
public typealias _RealmCollectionValueInsideOptional = _OptionalCapable

/// The types that conditions compare by order, under the name of the protocol in Realm.
public typealias _QueryNumeric = MinMaxType

/// ``RealmCollectionValue``, under a name for requirements on the stored form of a type.
public typealias _HasPersistedType = RealmCollectionValue
