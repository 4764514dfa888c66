// SPDX-License-Identifier: MIT
// What the tests use of ADAL 1.2.9 to 6.0.5. The classes have three names in these versions and are looked up by
// them, so that one file of tests is for all versions; the selectors are those of ADAL's headers.
@import Foundation;

NS_ASSUME_NONNULL_BEGIN

@protocol LegacyUser <NSObject>
@property (readonly, nullable) NSString *userId;
@end

@protocol LegacyUserMaking <NSObject>
// ADUserInformation (1.2.9 to 5), ADALUserInformation (6).
- (nullable id<LegacyUser>)userInformationWithIdToken:(NSString *)idToken error:(id _Nullable *_Nullable)error;
@end

@protocol LegacyItem <NSObject>
// ADTokenCacheStoreItem (1.2.9), ADTokenCacheItem (2 to 5), ADALTokenCacheItem (6).
@property (copy, nullable) NSString *resource;
@property (copy, nullable) NSString *authority;
@property (copy, nullable) NSString *clientId;
@property (copy, nullable) NSString *accessToken;
@property (copy, nullable) NSString *accessTokenType;
@property (copy, nullable) NSString *refreshToken;
@property (copy, nullable) NSDate *expiresOn;
@property (retain, nullable) id<LegacyUser> userInformation;
@optional
// From 2.2 on.
@property (copy, nullable) NSString *familyId;
@end

@protocol LegacyCache <NSObject>
// ADKeychainTokenCacheStore (1.2.9), ADKeychainTokenCache (2 to 5), ADALKeychainTokenCache (6).
@optional
- (nullable NSArray<id<LegacyItem>> *)allItemsWithError:(id _Nullable *_Nullable)error;
- (void)addOrUpdateItem:(id<LegacyItem>)item error:(id _Nullable *_Nullable)error;
- (nullable NSArray<id<LegacyItem>> *)allItems:(id _Nullable *_Nullable)error;
- (BOOL)addOrUpdateItem:(id<LegacyItem>)item
          correlationId:(nullable NSUUID *)correlationId
                  error:(id _Nullable *_Nullable)error;
@end

NS_ASSUME_NONNULL_END
