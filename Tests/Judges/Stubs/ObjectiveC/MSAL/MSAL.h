// SPDX-License-Identifier: MIT
// The declarations of MSAL that plans of `doctor` use in Objective-C; nothing here does anything.
#import <Foundation/Foundation.h>

@interface NSObject (Made)
+ (instancetype)alloc;
@end
@interface MSALAuthority : NSObject
@end
@interface MSALAADAuthority : MSALAuthority
- (instancetype)initWithURL:(NSURL *)url error:(NSError **)error;
@end
@interface MSALCacheConfig : NSObject
@property NSString *keychainSharingGroup;
@end
@interface MSALPublicClientApplicationConfig : NSObject
@property (readonly) MSALCacheConfig *cacheConfig;
@property NSArray *knownAuthorities;
- (instancetype)initWithClientId:(NSString *)clientId
                     redirectUri:(NSString *)redirectUri
                       authority:(MSALAuthority *)authority;
@end
@interface MSALPublicClientApplication : NSObject
+ (BOOL)handleMSALResponse:(NSURL *)response sourceApplication:(NSString *)sourceApplication;
- (instancetype)initWithConfiguration:(MSALPublicClientApplicationConfig *)configuration
                                error:(NSError **)error;
@end
