public import Firn

/// The publishers of sections.
extension SectionedResults {
    /// Says whenever the sections have changed; nothing happens to sections that are frozen or in no realm.
    public var objectWillChange: RealmPublishers.WillChange<Self> { observable(nil).willChange }

    /// Gives the sections as they are, and anew whenever they have changed.
    ///
    /// The program stops for sections that are frozen or in no realm when somebody subscribes.
    public var collectionPublisher: RealmPublishers.Value<Self> { observable(nil).value }

    /// Gives the sections as they are, and anew whenever they have changed.
    ///
    /// - Parameter keyPaths: which properties of the objects are observed, as of `observe`.
    public func collectionPublisher(keyPaths: [String]?) -> RealmPublishers.Value<Self> {
        observable(keyPaths).value
    }

    /// Gives the sections as they are, and then each change.
    ///
    /// The program stops for sections that are frozen or in no realm when somebody subscribes.
    public var changesetPublisher: RealmPublishers.SectionedResultsChangeset<Self> {
        observable(nil).changeset
    }

    /// Gives the sections as they are, and then each change.
    ///
    /// - Parameter keyPaths: which properties of the objects are observed, as of `observe`.
    public func changesetPublisher(
        keyPaths: [String]?
    ) -> RealmPublishers.SectionedResultsChangeset<Self> { observable(keyPaths).changeset }

    fileprivate func observable(_ keyPaths: [String]?) -> Observable<SectionedResultsChange<Self>> {
        Observable(source: self) { observe(keyPaths: keyPaths, on: $0, $1) }
    }
}

/// The publishers of one section.
extension ResultsSection {
    /// Says whenever the section has changed; nothing happens to a section that is frozen or in no realm.
    public var objectWillChange: RealmPublishers.WillChange<Self> { observable(nil).willChange }

    /// Gives the section as it is, and anew whenever it has changed.
    ///
    /// The program stops for a section that is frozen or in no realm when somebody subscribes.
    public var collectionPublisher: RealmPublishers.Value<Self> { observable(nil).value }

    /// Gives the section as it is, and anew whenever it has changed.
    ///
    /// - Parameter keyPaths: which properties of the objects are observed, as of `observe`.
    public func collectionPublisher(keyPaths: [String]?) -> RealmPublishers.Value<Self> {
        observable(keyPaths).value
    }

    /// Gives the section as it is, and then each change.
    ///
    /// The program stops for a section that is frozen or in no realm when somebody subscribes.
    public var changesetPublisher: RealmPublishers.SectionChangeset<Self> {
        observable(nil).changeset
    }

    /// Gives the section as it is, and then each change.
    ///
    /// - Parameter keyPaths: which properties of the objects are observed, as of `observe`.
    public func changesetPublisher(
        keyPaths: [String]?
    ) -> RealmPublishers.SectionChangeset<Self> { observable(keyPaths).changeset }

    fileprivate func observable(_ keyPaths: [String]?) -> Observable<SectionedResultsChange<Self>> {
        Observable(source: self) { observe(keyPaths: keyPaths, on: $0, $1) }
    }
}
